import { element } from './dom.js';

/** Component types of menus whose options Discord fills in itself. */
const filled = { 5: 'users', 6: 'roles', 7: 'users', 8: 'channels' };

/** The options of a menu: its own, or everybody and everything of the server. */
function optionsOf(component, names) {
  const kind = filled[component.type];
  if (!kind) return component.options ?? [];
  const chosen = new Set((component.default_values ?? []).map((one) => one.id));
  return Object.entries(names[kind] ?? {}).map(([value, label]) => ({
    value,
    label: `${kind === 'channels' ? '#' : '@'}${label.replace(/^@/, '')}`,
    default: chosen.has(value),
  }));
}

const emojiText = (emoji) => (emoji?.name && !emoji.id ? emoji.name : null);

function face(option) {
  const emoji = emojiText(option.emoji);
  return emoji ? [element('span', { className: 'menu-emoji' }, emoji)] : [];
}

/**
 * A menu of a message. `send(values)` is called with what was chosen: at once where one thing can be chosen, when the
 * list is closed where it can be several.
 */
export function menuNode(component, names, send) {
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
      ...face(option),
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

  function draw() {
    const shown = options.filter((option) => chosen.includes(option.value));
    label.classList.toggle('empty', shown.length === 0);
    label.replaceChildren(
      ...(shown.length === 0 ? [component.placeholder ?? 'Make a selection'] : []),
      ...shown.flatMap((option, index) => [index > 0 ? ', ' : '', ...face(option), option.label]),
    );
    for (const [index, row] of rows.entries()) {
      row.setAttribute('aria-selected', String(chosen.includes(options[index].value)));
    }
  }

  function open() {
    list.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    // Above the button where there is no room below.
    const room = window.innerHeight - button.getBoundingClientRect().bottom;
    list.classList.toggle('above', room < list.offsetHeight + 80);
    (rows.find((row) => row.getAttribute('aria-selected') === 'true') ?? rows[0])?.focus();
    document.addEventListener('pointerdown', outside, true);
  }

  function close() {
    list.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', outside, true);
    if (chosen.length < least || String(chosen) === String(before)) {
      chosen = before;
      draw();
    } else send(chosen);
  }

  function outside(event) {
    if (!node.contains(event.target)) close();
  }

  function toggle(value) {
    if (most === 1) chosen = [value];
    else if (chosen.includes(value)) chosen = chosen.filter((one) => one !== value);
    else if (chosen.length < most) chosen = [...chosen, value];
    draw();
    if (most === 1) close();
  }

  function keys(event) {
    if (list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const at = rows.indexOf(document.activeElement);
      rows[(at + step + rows.length) % rows.length]?.focus();
    } else if (event.key === 'Escape') {
      close();
      button.focus();
    }
  }

  draw();
  return node;
}
