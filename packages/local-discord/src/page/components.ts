import type { Component } from '../discord-types.ts';
import { element, webAddress } from './dom.ts';
import type { Names } from './markdown-inline.ts';
import { markdown } from './markdown.ts';
import { menuNode } from './menu.ts';

const buttonTypes: Record<number, string> = {
  1: 'primary',
  2: 'secondary',
  3: 'success',
  4: 'destructive',
  5: 'secondary',
};
const linkStyle = 5;
const type = { row: 1, button: 2, section: 9, text: 10, separator: 14, container: 17 };
const menus = new Set([3, 5, 6, 7, 8]);

/** Called with what a component was used for and its `custom_id`. */
export type Use = (action: 'click' | 'select', details: { customId: string; values?: string[] }) => void;

const emojiText = (emoji: Component['emoji']): string => (emoji?.name && !emoji.id ? `${emoji.name} ` : '');

function button(component: Component, use: Use): HTMLElement {
  const { custom_id: customId } = component;
  const node = element('discord-button', {
    type: buttonTypes[component.style ?? 0] ?? 'secondary',
    disabled: component.disabled,
    url: component.style === linkStyle ? webAddress(component.url) : null,
    'data-testid': customId ? `component-${customId}` : 'link-button',
  });
  node.append(`${emojiText(component.emoji)}${component.label ?? ''}`);
  if (customId && !component.disabled) {
    node.addEventListener('click', () => use('click', { customId }));
  }
  return node;
}

function componentNode(component: Component, use: Use, names: Names): HTMLElement {
  const children = () => (component.components ?? []).map((child) => componentNode(child, use, names));
  if (menus.has(component.type)) {
    const customId = component.custom_id ?? '';
    return menuNode(component, names, (values) => use('select', { customId, values }));
  }
  switch (component.type) {
    case type.row:
      return element('discord-action-row', {}, ...children());
    case type.button:
      return button(component, use);
    case type.text:
      return element('div', { className: 'component-text' }, ...markdown(component.content ?? '', names));
    case type.section:
      return element(
        'div',
        { className: 'section', 'data-testid': 'section' },
        element('div', {}, ...children()),
        // The library draws no button outside a row.
        component.accessory
          ? element('discord-action-row', {}, componentNode(component.accessory, use, names))
          : null,
      );
    case type.separator:
      return element('hr', { className: 'separator' });
    case type.container: {
      const { accent_color: accent } = component;
      const color = typeof accent === 'number' ? `#${accent.toString(16).padStart(6, '0')}` : '';
      const style = color === '' ? '' : `border-left-color: ${color}`;
      return element('div', { className: 'container', 'data-testid': 'container', style }, ...children());
    }
    default:
      return element('div', {}, `(component of type ${component.type})`);
  }
}

/** Buttons and menus of a message; `use` is called when one is used. */
export function componentsNode(components: readonly Component[], use: Use, names: Names): HTMLElement | null {
  if (components.length === 0) return null;
  return element(
    'div',
    { slot: 'components' },
    ...components.map((component) => componentNode(component, use, names)),
  );
}
