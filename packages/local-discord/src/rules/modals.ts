import type { Component, Json, TextInput } from '../discord-types.ts';
import { FormCheck } from '../errors.ts';
import { componentType } from './components.ts';

export interface TextField extends TextInput {
  /** The component around it: a label, or an action row. */
  parent: 'label' | 'row';
}

/** A form that a bot opens. */
export interface Modal {
  customId: string;
  title: string;
  fields: TextField[];
}

type Path = (string | number)[];

const longestValue = 4000;
const shortStyle = 1;
const paragraphStyle = 2;

/**
 * Reads the body of a modal, with text inputs in labels or in action rows. Other inputs are left out of this local Discord.
 * @throws DiscordError 50035 that names every fault
 */
export function readModal(raw: Json): Modal {
  const check = new FormCheck();
  check.length(['custom_id'], raw['custom_id'], 1, 100);
  check.length(['title'], raw['title'], 1, 45);
  const components = Array.isArray(raw['components']) ? (raw['components'] as Component[]) : [];
  if (components.length < 1 || components.length > 5) {
    check.fault(['components'], 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.');
  }
  const fields = components.flatMap((component, index) => readField(check, component, ['components', index]));
  const seen = new Set<string>();
  for (const { customId } of fields) {
    if (seen.has(customId)) {
      const message = 'Component custom id cannot be duplicated';
      check.fault(['components'], 'COMPONENT_CUSTOM_ID_DUPLICATED', message);
    }
    seen.add(customId);
  }
  check.done();
  return { customId: String(raw['custom_id']), title: String(raw['title']), fields };
}

function readField(check: FormCheck, component: Component, path: Path): TextField[] {
  if (component.type === componentType.label) {
    check.length([...path, 'label'], component.label, 1, 45);
    const description = component['description'] ?? null;
    if (description !== null) check.length([...path, 'description'], description, 1, 100);
    const input = component['component'] as Component | undefined;
    const around = { label: String(component.label), description: description as string | null };
    return readInput(check, input, [...path, 'component'], { ...around, parent: 'label' });
  }
  if (component.type !== componentType.actionRow) {
    check.fault([...path, 'type'], 'BASE_TYPE_CHOICES', 'Value must be one of (1, 18).');
    return [];
  }
  const [input, ...others] = component.components ?? [];
  if (input === undefined || others.length > 0) {
    check.fault([...path, 'components'], 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 1 in length.');
    return [];
  }
  const at: Path = [...path, 'components', 0];
  check.length([...at, 'label'], input.label, 1, 45);
  return readInput(check, input, at, { label: String(input.label), description: null, parent: 'row' });
}

function readInput(
  check: FormCheck,
  input: Component | undefined,
  path: Path,
  around: Pick<TextField, 'label' | 'description' | 'parent'>,
): TextField[] {
  if (input === undefined) {
    check.required(path);
    return [];
  }
  if (input.type !== componentType.textInput) {
    check.fault([...path, 'type'], 'BASE_TYPE_CHOICES', 'Value must be one of (4,).');
    return [];
  }
  check.length([...path, 'custom_id'], input.custom_id, 1, 100);
  if (input.style !== shortStyle && input.style !== paragraphStyle) {
    check.fault([...path, 'style'], 'BASE_TYPE_CHOICES', 'Value must be one of (1, 2).');
  }
  const { value = '', placeholder = '', required = true } = input as { value?: unknown } & typeof input;
  check.length([...path, 'placeholder'], placeholder, 0, 100);
  const minLength = lengthOf(check, [...path, 'min_length'], input['min_length'], 0);
  const maxLength = lengthOf(check, [...path, 'max_length'], input['max_length'], longestValue);
  if (value !== '') check.length([...path, 'value'], value, minLength, maxLength);
  return [
    {
      ...around,
      customId: String(input.custom_id),
      paragraph: input.style === paragraphStyle,
      required: required !== false,
      minLength,
      maxLength,
      value: String(value),
      placeholder,
    },
  ];
}

/** A limit of a text's length; the longest text has at least one character. */
function lengthOf(check: FormCheck, path: Path, value: unknown, otherwise: number): number {
  if (value === undefined || value === null) return otherwise;
  const least = otherwise === 0 ? 0 : 1;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= longestValue)
    return value;
  check.fault(path, 'NUMBER_TYPE_MAX', `int value should be between ${least} and ${longestValue}.`);
  return otherwise;
}

/** What the app would not let a member send, as it says so; null: nothing. */
export function fieldFault(field: TextField, value: string): string | null {
  if (value === '') return field.required ? `${field.label}: This field is required` : null;
  if (value.length < field.minLength) return `${field.label}: Must be at least ${field.minLength} characters`;
  if (value.length > field.maxLength) return `${field.label}: Must be at most ${field.maxLength} characters`;
  return null;
}

/** The components of a submission. Fields that were left empty have an empty value. */
export function submittedComponents({ fields }: Modal, values: Readonly<Record<string, string>>): Json[] {
  return fields.map(({ customId, parent }, index) => {
    const [id, inputId] = [2 * index + 1, 2 * index + 2];
    const value = values[customId] ?? '';
    const input = { type: componentType.textInput, id: inputId, custom_id: customId, value };
    return parent === 'label'
      ? { type: componentType.label, id, component: input }
      : { type: componentType.actionRow, id, components: [input] };
  });
}
