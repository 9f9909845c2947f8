import type { Component } from '../discord-types.ts';
import type { FormCheck } from '../errors.ts';
import { schemeOf } from './urls.ts';

/** Component types (Discord: Component Reference). */
export const componentType = {
  actionRow: 1,
  button: 2,
  stringSelect: 3,
  userSelect: 5,
  roleSelect: 6,
  mentionableSelect: 7,
  channelSelect: 8,
} as const;

const selects: ReadonlySet<number> = new Set([3, 5, 6, 7, 8]);
const linkStyle = 5;
const premiumStyle = 6;

type Path = (string | number)[];

/** Every component of a message, in reading order, containers and sections opened. */
export function* eachComponent(components: readonly Component[]): Generator<Component> {
  for (const component of components) {
    yield component;
    yield* eachComponent(component.components ?? []);
    if (component.accessory) yield component.accessory;
  }
}

/**
 * Notes more than five rows, components outside of rows, a select beside something, a missing or repeated `custom_id`, an
 * option's value that stands twice, a button without a label or emoji, and a link that is none.
 */
export function checkComponents(check: FormCheck, components: readonly Component[], v2: boolean): void {
  if (!v2 && components.length > 5) {
    check.fault(['components'], 'BASE_TYPE_MAX_LENGTH', 'Must be 5 or fewer in length.');
  }
  for (const [index, component] of components.entries()) {
    const path: Path = ['components', index];
    if (!v2 && component.type !== componentType.actionRow) {
      check.fault([...path, 'type'], 'BASE_TYPE_CHOICES', 'Value must be one of (1,).');
    } else checkTree(check, component, path);
  }
  const seen = new Set<string>();
  for (const { custom_id: id } of eachComponent(components)) {
    if (id === undefined) continue;
    if (seen.has(id)) {
      const message = 'Component custom id cannot be duplicated';
      check.fault(['components'], 'COMPONENT_CUSTOM_ID_DUPLICATED', message);
    }
    seen.add(id);
  }
}

function checkTree(check: FormCheck, component: Component, path: Path): void {
  const { type, components: children = [], accessory } = component;
  if (
    type === componentType.actionRow &&
    children.length > 1 &&
    children.some((one) => selects.has(one.type))
  )
    check.fault([...path, 'components'], 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 1 in length.');
  for (const [index, child] of children.entries()) checkTree(check, child, [...path, 'components', index]);
  if (accessory) checkTree(check, accessory, [...path, 'accessory']);
  if (type === componentType.button) checkButton(check, component, path);
  else if (selects.has(type)) checkSelect(check, component, path);
}

function checkButton(check: FormCheck, button: Component, path: Path): void {
  const { style, custom_id: id, url, label, emoji } = button;
  if (style === premiumStyle) return;
  if (style === linkStyle) {
    if (!['http:', 'https:', 'discord:'].includes(schemeOf(url) ?? '')) {
      const message = "Scheme must be one of ('http', 'https', 'discord').";
      check.fault([...path, 'url'], 'URL_TYPE_INVALID_SCHEME', message);
    }
    if (id !== undefined) {
      const message = 'A custom id and url cannot both be specified';
      check.fault(path, 'BUTTON_COMPONENT_CUSTOM_ID_URL_EXCLUSIVE', message);
    }
  } else if (!id) check.required([...path, 'custom_id']);
  if (!label && !emoji) {
    const message = 'A button must have a label or an emoji';
    check.fault(path, 'BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED', message);
  }
}

function checkSelect(check: FormCheck, { custom_id: id, options = [] }: Component, path: Path): void {
  if (!id) check.required([...path, 'custom_id']);
  const values = new Set<string>();
  for (const [index, { value }] of options.entries()) {
    if (values.has(value)) {
      const message = 'The specified option value is already used';
      check.fault([...path, 'options', index, 'value'], 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED', message);
    }
    values.add(value);
  }
}
