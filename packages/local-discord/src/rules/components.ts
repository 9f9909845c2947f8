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
  section: 9,
  textDisplay: 10,
  thumbnail: 11,
  mediaGallery: 12,
  file: 13,
  separator: 14,
  container: 17,
} as const;

/** Discord: Using Message Components. They hold for a message of components as a whole. */
const mostComponents = 40;
const mostText = 4000;

const selects: ReadonlySet<number> = new Set([3, 5, 6, 7, 8]);
const linkStyle = 5;

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
 * Notes what Discord would refuse: more than five rows, more than five buttons a row, a select beside something,
 * a missing or repeated `custom_id`, labels and options over their limits.
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
  if (v2) checkTotals(check, components);
  const seen = new Set<string>();
  for (const { custom_id: id } of eachComponent(components)) {
    if (id === undefined) continue;
    if (seen.has(id)) {
      check.fault(
        ['components'],
        'COMPONENT_CUSTOM_ID_DUPLICATED',
        'Component custom id cannot be duplicated',
      );
    }
    seen.add(id);
  }
}

function checkTotals(check: FormCheck, components: readonly Component[]): void {
  const all = [...eachComponent(components)];
  if (all.length > mostComponents) {
    const message = `The max number of components you can have in this message is ${mostComponents}`;
    check.fault(['components'], 'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED', message);
  }
  const length = all.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  if (length > mostText) {
    const message = `The total displayable text size exceeds ${mostText}`;
    check.fault(['components'], 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED', message);
  }
}

/** One to three texts, and a button or thumbnail beside them. */
function checkSection(check: FormCheck, { components = [], accessory }: Component, path: Path): void {
  if (components.length < 1 || components.length > 3) {
    check.fault([...path, 'components'], 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 3 in length.');
  }
  for (const [index, { type }] of components.entries()) {
    if (type === componentType.textDisplay) continue;
    check.fault([...path, 'components', index, 'type'], 'BASE_TYPE_CHOICES', 'Value must be one of (10,).');
  }
  if (accessory === undefined) check.required([...path, 'accessory']);
  else checkTree(check, accessory, [...path, 'accessory']);
}

function checkTree(check: FormCheck, component: Component, path: Path): void {
  const children = component.components ?? [];
  if (component.type === componentType.actionRow) checkRow(check, children, path);
  for (const [index, child] of children.entries()) checkTree(check, child, [...path, 'components', index]);
  if (component.type === componentType.section) checkSection(check, component, path);
  if (component.type === componentType.button) checkButton(check, component, path);
  else if (selects.has(component.type)) checkSelect(check, component, path);
  else if (component.type === componentType.textDisplay) {
    check.length([...path, 'content'], component.content, 1, 4000);
  }
}

function checkRow(check: FormCheck, children: readonly Component[], path: Path): void {
  const hasSelect = children.some((child) => selects.has(child.type));
  const most = hasSelect ? 1 : 5;
  if (children.length < 1 || children.length > most) {
    check.fault([...path, 'components'], 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${most} in length.`);
  }
}

function checkButton(check: FormCheck, button: Component, path: Path): void {
  const style = button.style ?? 0;
  if (!Number.isInteger(style) || style < 1 || style > 6) {
    check.fault([...path, 'style'], 'BASE_TYPE_CHOICES', 'Value must be one of (1, 2, 3, 4, 5, 6).');
  }
  if (style === linkStyle) {
    const scheme = schemeOf(button.url);
    if (scheme !== 'http:' && scheme !== 'https:' && scheme !== 'discord:') {
      const message = "Scheme must be one of ('http', 'https', 'discord').";
      check.fault([...path, 'url'], 'URL_TYPE_INVALID_SCHEME', message);
    }
    if (button.custom_id !== undefined) {
      const message = 'A custom id and url cannot both be specified';
      check.fault(path, 'BUTTON_COMPONENT_CUSTOM_ID_URL_EXCLUSIVE', message);
    }
  } else if (style !== 6) check.length([...path, 'custom_id'], button.custom_id, 1, 100);
  if (button.label !== undefined) check.length([...path, 'label'], button.label, 0, 80);
  if (style !== 6 && !button.label && !button.emoji) {
    const message = 'A button must have a label or an emoji';
    check.fault(path, 'BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED', message);
  }
}

function checkSelect(check: FormCheck, select: Component, path: Path): void {
  check.length([...path, 'custom_id'], select.custom_id, 1, 100);
  if (select.placeholder !== undefined) check.length([...path, 'placeholder'], select.placeholder, 0, 150);
  if (select.type !== componentType.stringSelect) return;
  const options = select.options ?? [];
  if (options.length < 1 || options.length > 25) {
    check.fault([...path, 'options'], 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 25 in length.');
  }
  const values = new Set<string>();
  for (const [index, option] of options.entries()) {
    const at: Path = [...path, 'options', index];
    check.length([...at, 'label'], option.label, 1, 100);
    check.length([...at, 'value'], option.value, 1, 100);
    if (option.description !== undefined) check.length([...at, 'description'], option.description, 0, 100);
    if (values.has(option.value)) {
      const message = 'The specified option value is already used';
      check.fault([...at, 'value'], 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED', message);
    }
    values.add(option.value);
  }
}
