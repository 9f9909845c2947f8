import type { Component, MenuOption } from '../discord-types.ts';
import { element, span } from './dom.ts';

/** The option's emoji, unless it is a custom one, which would have to be fetched. */
function emojiOf({ emoji }: MenuOption): HTMLElement[] {
  return emoji?.name && !emoji.id ? [span('menu-emoji', emoji.name)] : [];
}

/**
 * A menu of a message. `send(values)` is called with what was chosen: at once where one thing can be chosen, when the
 * list is closed where it can be several.
 */
export function menuNode(component: Component, send: (values: string[]) => void): HTMLElement {
  const { options = [], min_values: least = 1, max_values: most = 1 } = component;
  const before = options.filter((option) => option.default).map((option) => option.value);
  let chosen = before;

  const label = span('menu-label');
  const button = element(
    'button',
    {
      className: 'menu-button',
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
        role: 'option',
        'data-testid': `option-${option.value}`,
        onclick: () => toggle(option.value),
      },
      ...emojiOf(option),
      span(
        'menu-text',
        span('menu-name', option.label),
        option.description ? span('menu-description', option.description) : null,
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
