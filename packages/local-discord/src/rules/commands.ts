import type { CommandOption, Json } from '../discord-types.ts';
import { FormCheck, refusals } from '../errors.ts';
import type { Command } from '../state/state.ts';
import { locales } from './locales.ts';

type Path = (string | number)[];

const subcommand = 1;
const subcommandGroup = 2;
const stringOption = 3;
const numericOptions: ReadonlySet<number> = new Set([4, 10]);

/** Commands in one scope: global, or a guild's. */
export const maxCommands = 100;

/** What a registration may set; ids and version are Discord's. */
export type CommandBody = Omit<Command, 'id' | 'application_id' | 'version' | 'guild_id'>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads command definitions as Discord does (Discord: Application Commands).
 * `prefix` is where a single definition sits in the error tree: its index in a bulk overwrite, nothing otherwise.
 * @throws DiscordError 50035 naming every fault, 30032 for too many commands.
 */
export function readCommands(raws: readonly unknown[], bulk: boolean): CommandBody[] {
  if (raws.length > maxCommands) throw refusals.tooManyCommands();
  const check = new FormCheck();
  const commands = raws.map((raw, index) => readCommand(check, raw, bulk ? [index] : []));
  const names = new Set<string>();
  for (const [index, command] of commands.entries()) {
    const key = `${command.type} ${command.name}`;
    if (names.has(key)) {
      const message = 'Application command names must be unique';
      check.fault([index, 'name'], 'APPLICATION_COMMANDS_DUPLICATE_NAME', message);
    }
    names.add(key);
  }
  check.done();
  return commands;
}

function readCommand(check: FormCheck, raw: unknown, path: Path): CommandBody {
  const body: Json = isObject(raw) ? raw : {};
  const type = body['type'] === undefined ? 1 : Number(body['type']);
  if (type === 1) {
    checkName(check, body['name'], [...path, 'name']);
    check.length([...path, 'description'], body['description'], 1, 100);
  } else {
    check.length([...path, 'name'], body['name'], 1, 32);
    if (body['description']) {
      const message = 'Context menu commands cannot have description';
      check.fault([...path, 'description'], 'APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION', message);
    }
  }
  const nameLocalizations = localizations(
    check,
    body['name_localizations'],
    [...path, 'name_localizations'],
    type === 1,
  );
  const descriptionLocalizations = localizations(
    check,
    body['description_localizations'],
    [...path, 'description_localizations'],
    false,
  );
  const options = readOptions(check, body['options'], [...path, 'options'], 0);
  const command: CommandBody = {
    type,
    name: String(body['name']),
    description: type === 1 ? String(body['description']) : '',
    name_localizations: nameLocalizations,
    description_localizations: descriptionLocalizations,
    options,
    default_member_permissions: readPermissions(check, body['default_member_permissions'], path),
    contexts: readNumbers(check, body['contexts'], [0, 1, 2], [...path, 'contexts']),
    integration_types: readNumbers(
      check,
      body['integration_types'],
      [0, 1],
      [...path, 'integration_types'],
    ) ?? [0],
    nsfw: body['nsfw'] === true,
  };
  if (command.contexts === null && body['dm_permission'] === false) command.contexts = [0];
  if (totalLength(command) > 8000) {
    const message = 'Command exceeds maximum size (8000)';
    check.fault(path, 'APPLICATION_COMMAND_TOO_LARGE', message);
  }
  return command;
}

function checkName(check: FormCheck, name: unknown, path: Path): void {
  if (typeof name !== 'string') return check.required(path);
  if (name.length < 1 || name.length > 32) return check.length(path, name, 1, 32);
  const pattern = /^[-_'\p{L}\p{N}\p{Script=Devanagari}\p{Script=Thai}]{1,32}$/u;
  if (!pattern.test(name) || name !== name.toLowerCase()) {
    check.fault(path, 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid');
  }
}

function localizations(
  check: FormCheck,
  raw: unknown,
  path: Path,
  asName: boolean,
): Record<string, string> | null {
  if (raw === undefined || raw === null) return null;
  if (!isObject(raw)) {
    check.fault(path, 'DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType');
    return null;
  }
  const result: Record<string, string> = {};
  for (const [locale, text] of Object.entries(raw)) {
    if (text === null) continue;
    if (!locales.has(locale)) {
      const message = `Value must be one of (${[...locales].map((one) => `'${one}'`).join(', ')}).`;
      check.fault([...path, locale], 'BASE_TYPE_CHOICES', message);
    } else if (asName) checkName(check, text, [...path, locale]);
    else check.length([...path, locale], text, 1, 100);
    if (typeof text === 'string') result[locale] = text;
  }
  return result;
}

function readOptions(check: FormCheck, raw: unknown, path: Path, depth: number): CommandOption[] {
  if (raw === undefined || raw === null) return [];
  const list = Array.isArray(raw) ? (raw as unknown[]).filter(isObject) : [];
  if (list.length > 25) check.fault(path, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
  const options = list.map((option, index) => readOption(check, option, [...path, index], depth));
  const names = new Set<string>();
  let optionalSeen = false;
  for (const [index, option] of options.entries()) {
    if (names.has(option.name)) {
      const message = 'Option names must be unique';
      check.fault([...path, index, 'name'], 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID', message);
    }
    names.add(option.name);
    if (option.required && optionalSeen) {
      const message = 'Required options must be placed before non-required options';
      check.fault([...path, index], 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', message);
    }
    if (!option.required) optionalSeen = true;
  }
  const nested = options.filter((option) => option.type <= subcommandGroup).length;
  if (nested > 0 && nested < options.length) {
    const message =
      'Sub-command and sub-command group option types are mutually exclusive to all other types';
    check.fault(path, 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', message);
  }
  return options;
}

function readOption(check: FormCheck, raw: Json, path: Path, depth: number): CommandOption {
  const type = Number(raw['type']);
  const nested = type === subcommand || type === subcommandGroup;
  if (!Number.isInteger(type) || type < 1 || type > 11) {
    check.fault(
      [...path, 'type'],
      'BASE_TYPE_CHOICES',
      'Value must be one of (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11).',
    );
  } else if ((type === subcommandGroup && depth > 0) || (type === subcommand && depth > 1)) {
    const message = 'Sub-commands and groups may be nested two levels deep at most';
    check.fault([...path, 'type'], 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', message);
  }
  checkName(check, raw['name'], [...path, 'name']);
  check.length([...path, 'description'], raw['description'], 1, 100);
  const option: CommandOption = {
    type,
    name: String(raw['name']),
    description: String(raw['description']),
    name_localizations: localizations(
      check,
      raw['name_localizations'],
      [...path, 'name_localizations'],
      true,
    ),
    description_localizations: localizations(
      check,
      raw['description_localizations'],
      [...path, 'description_localizations'],
      false,
    ),
  };
  if (raw['required'] === true) option.required = true;
  if (raw['autocomplete'] === true) option.autocomplete = true;
  const choices = readChoices(check, raw['choices'], type, [...path, 'choices']);
  if (choices.length > 0) option.choices = choices;
  if (option.autocomplete && choices.length > 0) {
    const message = 'Autocomplete options cannot have choices';
    check.fault(path, 'APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES', message);
  }
  if (option.autocomplete && type !== stringOption && !numericOptions.has(type)) {
    const message = 'Autocomplete is only for string, integer and number options';
    check.fault(path, 'APPLICATION_COMMAND_AUTOCOMPLETE_TYPE', message);
  }
  for (const key of ['min_value', 'max_value', 'min_length', 'max_length'] as const) {
    const value = raw[key];
    if (value === undefined || value === null) continue;
    if (typeof value === 'number') option[key] = value;
    else check.fault([...path, key], 'NUMBER_TYPE_COERCE', `Value "${typeof value}" is not a number.`);
  }
  if (Array.isArray(raw['channel_types'])) option['channel_types'] = raw['channel_types'];
  if (nested) option.options = readOptions(check, raw['options'], [...path, 'options'], depth + 1);
  return option;
}

function readChoices(
  check: FormCheck,
  raw: unknown,
  type: number,
  path: Path,
): NonNullable<CommandOption['choices']> {
  if (!Array.isArray(raw)) return [];
  if (raw.length > 25) check.fault(path, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
  const seen = new Set<unknown>();
  return (raw as unknown[]).filter(isObject).map((choice, index) => {
    const { value } = choice;
    check.length([...path, index, 'name'], choice['name'], 1, 100);
    if (type === stringOption) check.length([...path, index, 'value'], value, 1, 100);
    else if (typeof value !== 'number') {
      check.fault(
        [...path, index, 'value'],
        'NUMBER_TYPE_COERCE',
        `Value "${typeof value}" is not a number.`,
      );
    }
    if (seen.has(choice['name'])) {
      const message = 'Choice names must be unique';
      check.fault([...path, index, 'name'], 'APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS', message);
    }
    seen.add(choice['name']);
    const names = localizations(
      check,
      choice['name_localizations'],
      [...path, index, 'name_localizations'],
      false,
    );
    return { name: String(choice['name']), name_localizations: names, value: value as string | number };
  });
}

function readPermissions(check: FormCheck, raw: unknown, path: Path): string | null {
  if (raw === undefined || raw === null) return null;
  const text = typeof raw === 'number' || typeof raw === 'string' ? String(raw) : '';
  if (/^[0-9]+$/.test(text)) return text;
  check.fault(
    [...path, 'default_member_permissions'],
    'PERMISSIONS_TYPE_CONVERT',
    'Not a permission bit set',
  );
  return null;
}

function readNumbers(
  check: FormCheck,
  raw: unknown,
  allowed: readonly number[],
  path: Path,
): number[] | null {
  if (raw === undefined || raw === null) return null;
  const list = Array.isArray(raw) ? (raw as unknown[]) : [raw];
  for (const [index, value] of list.entries()) {
    if (!allowed.includes(Number(value))) {
      check.fault([...path, index], 'BASE_TYPE_CHOICES', `Value must be one of (${allowed.join(', ')}).`);
    }
  }
  return list.map(Number);
}

/** Names, descriptions and choice values, each in its longest language, as Discord counts them against 8000. */
function totalLength(
  command: { name: string; description: string; options?: CommandOption[] } & Json,
): number {
  const longest = (text: string, translations: unknown): number =>
    Math.max(text.length, ...Object.values((translations ?? {}) as Json).map((one) => String(one).length));
  let sum =
    longest(command.name, command['name_localizations']) +
    longest(command.description, command['description_localizations']);
  for (const option of command.options ?? []) {
    sum += totalLength(option);
    for (const choice of option.choices ?? []) {
      sum += longest(choice.name, choice.name_localizations) + String(choice.value).length;
    }
  }
  return sum;
}
