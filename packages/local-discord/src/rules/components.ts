import type { Component } from '../discord-types.ts';
import type { Fault, FormCheck, Path } from '../errors.ts';
import { schemeOf } from './values.ts';

/** Component types (Discord: Component Reference). */
export const componentType = { row: 1, button: 2, menu: 3 } as const;

const linkStyle = 5;

const linkSchemes: ReadonlySet<string> = new Set(['http', 'https', 'discord']);

const faults = {
  tooManyRows: ['BASE_TYPE_MAX_LENGTH', 'Must be 5 or fewer in length.'],
  repeatedId: ['COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated'],
  noRow: ['BASE_TYPE_CHOICES', 'Value must be one of (1,).'],
  unknownType: ['BASE_TYPE_CHOICES', 'Value must be one of (2, 3).'],
  besideMenu: ['BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 1 in length.'],
  noLink: ['URL_TYPE_INVALID_SCHEME', "Scheme must be one of ('http', 'https', 'discord')."],
  linkWithId: ['BUTTON_COMPONENT_CUSTOM_ID_URL_EXCLUSIVE', 'A custom id and url cannot both be specified'],
  blank: ['BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED', 'A button must have a label or an emoji'],
  repeatedValue: ['SELECT_COMPONENT_OPTION_VALUE_DUPLICATED', 'The specified option value is already used'],
} as const satisfies Record<string, Fault>;

/** The buttons and menus of a message, in reading order. */
export function componentsIn(rows: readonly Component[]): Component[] {
  return rows.flatMap(({ components = [] }) => components);
}

/**
 * Notes more than five rows, components outside of rows, a menu beside something, a missing or repeated `custom_id`, an
 * option's value that is used twice, a button without a label or emoji, and a link that is none.
 */
export function checkComponents(check: FormCheck, rows: readonly Component[]): void {
  if (rows.length > 5) check.fault(['components'], faults.tooManyRows);
  for (const [index, row] of rows.entries()) checkRow(check, row, ['components', index]);
  const ids = componentsIn(rows).flatMap((component) => component.custom_id ?? []);
  check.unique(ids, () => ['components'], faults.repeatedId);
}

function checkRow(check: FormCheck, { type, components = [] }: Component, path: Path): void {
  if (type !== componentType.row) return check.fault([...path, 'type'], faults.noRow);
  if (components.length > 1 && components.some((one) => one.type === componentType.menu))
    check.fault([...path, 'components'], faults.besideMenu);
  for (const [index, component] of components.entries()) {
    const at = [...path, 'components', index];
    if (component.type === componentType.button) checkButton(check, component, at);
    else if (component.type === componentType.menu) checkMenu(check, component, at);
    else check.fault([...at, 'type'], faults.unknownType);
  }
}

function checkButton(check: FormCheck, button: Component, path: Path): void {
  const { style, custom_id: id, url, label, emoji } = button;
  if (style === linkStyle) {
    if (!linkSchemes.has(schemeOf(url))) check.fault([...path, 'url'], faults.noLink);
    if (id !== undefined) check.fault(path, faults.linkWithId);
  } else if (!id) check.required([...path, 'custom_id']);
  if (!label && !emoji) check.fault(path, faults.blank);
}

function checkMenu(check: FormCheck, { custom_id: id, options = [] }: Component, path: Path): void {
  if (!id) check.required([...path, 'custom_id']);
  const values = options.map(({ value }) => value);
  const valueAt = (index: number): Path => [...path, 'options', index, 'value'];
  check.unique(values, valueAt, faults.repeatedValue);
}
