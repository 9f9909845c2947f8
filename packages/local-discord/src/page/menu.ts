import type { Component } from '../discord-types.ts';
import { element } from './dom.ts';
import type { Names } from './markdown-inline.ts';

/** Component types of menus whose options Discord fills in itself. */
const filled: Record<number, keyof Names> = { 5: 'users', 6: 'roles', 7: 'users', 8: 'channels' };

type MenuOption = NonNullable<Component['options']>[number];

/** The options of a menu: its own, or the server's members, roles or channels. */
function optionsOf(component: Component, names: Names): MenuOption[] {
  const kind = filled[component.type];
  if (!kind) return component.options ?? [];
  const chosen = new Set(((component['default_values'] ?? []) as { id: string }[]).map((one) => one.id));
  return Object.entries(names[kind]).map(([value, label]) => ({
    value,
    label: `${kind === 'channels' ? '#' : '@'}${label.replace(/^@/, '')}`,
    default: chosen.has(value),
  }));
}

/** The option's emoji, unless it is a custom one, which would have to be fetched. */
function emojiOf({ emoji }: MenuOption): HTMLElement[] {
  return emoji?.name && !emoji.id ? [element('span', { className: 'menu-emoji' }, emoji.name)] : [];
}

/**
 * A menu of a message. `send(values)` is called with what was chosen: at once where one thing can be chosen, when the
 * list is closed where it can be several.
 */
export function menuNode(component: Component, names: Names, send: (values: string[]) => void): HTMLElement {
  const options = optionsOf(component, names);
  const least = component.min_values ?? 1;
  const most = component.max_values ?? 1;
  const before = options.filter((option) => option.default).map((option) => option.value);
  let chosen = before;

  const label = element('span', { className: 'menu-label' });
  const button = element(
    'button',
    {
      className: 'menu-button',
      type: 'button',
      disabled: component.disabled,
      'aria-haspopup': 'listbox',
      'aria-expanded': 'false',
      'data-testid': `component-${component.custom_id}`,
      onclick: () => (list.hidden ? open() : close()),
    },
    label,
    element('span', { className: 'menu-arrow', 'aria-hidden': 'true' }),
  );
  const rows = options.map((option) =>
    element(
      'button',
      {
        className: 'menu-option',
        type: 'button',
        role: 'option',
        'data-testid': `option-${option.value}`,
        onclick: () => toggle(option.value),
      },
      ...emojiOf(option),
      element(
        'span',
        { className: 'menu-text' },
        element('span', { className: 'menu-name' }, option.label),
        option.description ? element('span', { className: 'menu-description' }, option.description) : null,
      ),
      element('span', { className: most > 1 ? 'menu-check' : 'menu-dot', 'aria-hidden': 'true' }),
    ),
  );
  const list = element('div', { className: 'menu-list', role: 'listbox', hidden: true }, ...rows);
  const node = element('div', { className: 'menu', onkeydown: keys }, button, list);

  function draw(): void {
    const shown = options.filter((option) => chosen.includes(option.value));
    label.classList.toggle('empty', shown.length === 0);
    label.replaceChildren(
      ...(shown.length === 0 ? [component.placeholder ?? 'Make a selection'] : []),
      ...shown.flatMap((option, index) => [index > 0 ? ', ' : '', ...emojiOf(option), option.label]),
    );
    for (const [index, row] of rows.entries()) {
      row.setAttribute('aria-selected', String(chosen.includes(options[index]?.value ?? '')));
    }
  }

  function open(): void {
    list.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    // Above the button where there is no room below.
    const room = window.innerHeight - button.getBoundingClientRect().bottom;
    list.classList.toggle('above', room < list.offsetHeight + 80);
    (rows.find((row) => row.getAttribute('aria-selected') === 'true') ?? rows[0])?.focus();
    document.addEventListener('pointerdown', outside, true);
  }

  function close(): void {
    list.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', outside, true);
    if (chosen.length < least || String(chosen) === String(before)) {
      chosen = before;
      draw();
    } else send(chosen);
  }

  function outside(event: Event): void {
    if (!node.contains(event.target as Node)) close();
  }

  function toggle(value: string): void {
    if (most === 1) chosen = [value];
    else if (chosen.includes(value)) chosen = chosen.filter((one) => one !== value);
    else if (chosen.length < most) chosen = [...chosen, value];
    draw();
    if (most === 1) close();
  }

  function keys(event: KeyboardEvent): void {
    if (list.hidden) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const at = rows.indexOf(document.activeElement as HTMLButtonElement);
      rows[(at + step + rows.length) % rows.length]?.focus();
    } else if (event.key === 'Escape') {
      close();
      button.focus();
    }
  }

  draw();
  return node;
}
