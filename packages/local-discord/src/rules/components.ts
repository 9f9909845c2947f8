import type { Component } from '../discord-types.ts';
import type { FormCheck, Path } from '../errors.ts';
import { schemeOf } from './values.ts';

/** Component types (Discord: Component Reference). */
export const componentType = { row: 1, button: 2, menu: 3 } as const;

const linkStyle = 5;

/** The buttons and menus of a message, in reading order. */
export function componentsIn(rows: readonly Component[]): Component[] {
  return rows.flatMap(({ components = [] }) => components);
}

/**
 * Notes more than five rows, components outside of rows, a menu beside something, a missing or repeated `custom_id`, an
 * option's value that is used twice, a button without a label or emoji, and a link that is none.
 */
export function checkComponents(check: FormCheck, rows: readonly Component[]): void {
  if (rows.length > 5) check.fault(['components'], 'BASE_TYPE_MAX_LENGTH', 'Must be 5 or fewer in length.');
  for (const [index, row] of rows.entries()) checkRow(check, row, ['components', index]);
  const ids = componentsIn(rows).flatMap((component) => component.custom_id ?? []);
  const message = 'Component custom id cannot be duplicated';
  check.unique(ids, () => ['components'], 'COMPONENT_CUSTOM_ID_DUPLICATED', message);
}

function checkRow(check: FormCheck, { type, components = [] }: Component, path: Path): void {
  if (type !== componentType.row) {
    return check.fault([...path, 'type'], 'BASE_TYPE_CHOICES', 'Value must be one of (1,).');
  }
  if (components.length > 1 && components.some((one) => one.type === componentType.menu))
    check.fault([...path, 'components'], 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 1 in length.');
  for (const [index, component] of components.entries()) {
    const at = [...path, 'components', index];
    if (component.type === componentType.button) checkButton(check, component, at);
    else if (component.type === componentType.menu) checkMenu(check, component, at);
    else check.fault([...at, 'type'], 'BASE_TYPE_CHOICES', 'Value must be one of (2, 3).');
  }
}

function checkButton(check: FormCheck, button: Component, path: Path): void {
  const { style, custom_id: id, url, label, emoji } = button;
  if (style === linkStyle) {
    if (!['http', 'https', 'discord'].includes(schemeOf(url))) {
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

function checkMenu(check: FormCheck, { custom_id: id, options = [] }: Component, path: Path): void {
  if (!id) check.required([...path, 'custom_id']);
  const values = options.map(({ value }) => value);
  const valueAt = (index: number): Path => [...path, 'options', index, 'value'];
  const message = 'The specified option value is already used';
  check.unique(values, valueAt, 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED', message);
}
