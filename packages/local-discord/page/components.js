import { element, webAddress } from './dom.js';
import { markdown } from './markdown.js';
import { menuNode } from './menu.js';

const buttonTypes = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'destructive', 5: 'secondary' };
const linkStyle = 5;
const type = { row: 1, button: 2, text: 10, container: 17 };
const menus = new Set([3, 5, 6, 7, 8]);

const emojiText = (emoji) => (emoji?.name && !emoji.id ? `${emoji.name} ` : '');

function button(component, use) {
  const node = element('discord-button', {
    type: buttonTypes[component.style] ?? 'secondary',
    disabled: component.disabled,
    url: component.style === linkStyle ? webAddress(component.url) : null,
    'data-testid': component.custom_id ? `component-${component.custom_id}` : 'link-button',
  });
  node.append(`${emojiText(component.emoji)}${component.label ?? ''}`);
  if (component.custom_id && !component.disabled) {
    node.addEventListener('click', () => use('click', { customId: component.custom_id }));
  }
  return node;
}

function one(component, use, names) {
  if (menus.has(component.type)) {
    return menuNode(component, names, (values) => use('select', { customId: component.custom_id, values }));
  }
  switch (component.type) {
    case type.row:
      return element(
        'discord-action-row',
        {},
        ...component.components.map((child) => one(child, use, names)),
      );
    case type.button:
      return button(component, use);
    case type.text:
      return element('div', {}, ...markdown(component.content ?? '', names));
    case type.container:
      return element(
        'div',
        { className: 'container' },
        ...(component.components ?? []).map((child) => one(child, use, names)),
      );
    default:
      return element('div', {}, `(component of type ${component.type})`);
  }
}

/** Buttons and menus of a message; `use(action, details)` is called when one is used. */
export function componentsNode(components, use, names) {
  if (components.length === 0) return null;
  return element('div', { slot: 'components' }, ...components.map((component) => one(component, use, names)));
}
