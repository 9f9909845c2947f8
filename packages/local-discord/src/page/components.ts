import type { Component } from '../discord-types.ts';
import { element, webAddress } from './dom.ts';
import { menuNode } from './menu.ts';

const buttonTypes: Record<number, string> = {
  1: 'primary',
  2: 'secondary',
  3: 'success',
  4: 'destructive',
  5: 'secondary',
};
const linkStyle = 5;
const menuType = 3;

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

/** Rows of buttons and menus below a message; `use` is called when one is used. */
export function componentsNode(rows: readonly Component[], use: Use): HTMLElement | null {
  if (rows.length === 0) return null;
  const draw = (component: Component): HTMLElement => {
    if (component.type !== menuType) return button(component, use);
    const customId = component.custom_id ?? '';
    return menuNode(component, (values) => use('select', { customId, values }));
  };
  return element(
    'div',
    { slot: 'components' },
    ...rows.map(({ components = [] }) => element('discord-action-row', {}, ...components.map(draw))),
  );
}
