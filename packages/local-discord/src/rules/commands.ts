import type { Choice, Command, CommandOption, Json } from '../discord-types.ts';
import { type Fault, FormCheck, type Path, refusals } from '../errors.ts';
import { isObject, objectsOf } from './values.ts';

/** A slash command; the others are items of context menus. */
const chatInput = 1;
const subcommandGroup = 2;
/** Text, whole number, number. */
const completed: ReadonlySet<number> = new Set([3, 4, 10]);

/** Commands in one scope: global, or a guild's. */
export const maxCommands = 100;

/** What a registration may set; ids and version are Discord's. */
export type CommandBody = Omit<Command, 'id' | 'application_id' | 'version' | 'guild_id'>;

/** Locales in which Discord takes translations (Discord: Reference, Locales). */
const locales: ReadonlySet<string> = new Set(
  (
    'id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th ' +
    'zh-CN ja zh-TW ko'
  ).split(' '),
);

const localeList = [...locales].map((one) => `'${one}'`).join(', ');

const faults = {
  repeatedCommand: ['APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique'],
  tooLarge: ['APPLICATION_COMMAND_TOO_LARGE', 'Command exceeds maximum size (8000)'],
  badName: ['APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid'],
  unknownLocale: ['BASE_TYPE_CHOICES', `Value must be one of (${localeList}).`],
  repeatedOption: ['APPLICATION_COMMAND_OPTIONS_NAME_INVALID', 'Option names must be unique'],
  requiredLate: [
    'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
    'Required options must be placed before non-required options',
  ],
  besideNested: [
    'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
    'Sub-command and sub-command group option types are mutually exclusive to all other types',
  ],
  completedChoices: ['APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES', 'Autocomplete options cannot have choices'],
  notCompleted: [
    'APPLICATION_COMMAND_AUTOCOMPLETE_TYPE',
    'Autocomplete is only for string, integer and number options',
  ],
  repeatedChoice: ['APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS', 'Choice names must be unique'],
} as const satisfies Record<string, Fault>;

/**
 * Reads command definitions as Discord does (Discord: Application Commands).
 * @param bulk whether they are registered together: a fault's path then starts with the command's index
 * @throws DiscordError 50035 naming every fault, 30032 for too many commands.
 */
export function readCommands(raws: readonly unknown[], bulk: boolean): CommandBody[] {
  if (raws.length > maxCommands) throw refusals.tooManyCommands();
  const check = new FormCheck();
  const commands = raws.map((raw, index) => readCommand(check, raw, bulk ? [index] : []));
  const names = commands.map(({ type, name }) => `${type} ${name}`);
  check.unique(names, (index) => [index, 'name'], faults.repeatedCommand);
  check.done();
  return commands;
}

function readCommand(check: FormCheck, raw: unknown, path: Path): CommandBody {
  const body: Json = isObject(raw) ? raw : {};
  const type = body['type'] === undefined ? 1 : Number(body['type']);
  const command: CommandBody = {
    ...readNamed(check, body, path, type === chatInput),
    type,
    options: readOptions(check, body['options'], [...path, 'options']),
    default_member_permissions: textOrNull(body['default_member_permissions']),
    contexts: numbersOf(body['contexts']),
    integration_types: numbersOf(body['integration_types']) ?? [0],
    nsfw: body['nsfw'] === true,
  };
  if (command.contexts === null && body['dm_permission'] === false) command.contexts = [0];
  if (totalLength(command) > 8000) check.fault(path, faults.tooLarge);
  return command;
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : null;
const numbersOf = (value: unknown): number[] | null => (Array.isArray(value) ? value.map(Number) : null);

/** The name and the description of a command or option. @param isTyped members type the name */
function readNamed(check: FormCheck, raw: Json, path: Path, isTyped = true) {
  const { name, description } = raw;
  const translated = (key: string) => localizations(check, raw[key], [...path, key]);
  const names = translated('name_localizations');
  if (isTyped) {
    checkName(check, name, [...path, 'name']);
    if (!description) check.required([...path, 'description']);
    for (const [locale, text] of Object.entries(names ?? {}))
      checkName(check, text, [...path, 'name_localizations', locale]);
  }
  return {
    name: String(name),
    description: isTyped ? String(description) : '',
    name_localizations: names,
    description_localizations: translated('description_localizations'),
  };
}

function checkName(check: FormCheck, name: unknown, path: Path): void {
  const pattern = /^[-_'\p{L}\p{N}\p{Script=Devanagari}\p{Script=Thai}]+$/u;
  if (typeof name !== 'string' || !pattern.test(name) || name !== name.toLowerCase()) {
    check.fault(path, faults.badName);
  }
}

function localizations(check: FormCheck, raw: unknown, path: Path): Record<string, string> | null {
  if (!isObject(raw)) return null;
  const texts = Object.entries(raw).filter((entry): entry is [string, string] => entry[1] !== null);
  for (const [locale] of texts) {
    if (!locales.has(locale)) check.fault([...path, locale], faults.unknownLocale);
  }
  return Object.fromEntries(texts);
}

function readOptions(check: FormCheck, raw: unknown, path: Path): CommandOption[] {
  const options = objectsOf(raw).map((option, index) => readOption(check, option, [...path, index]));
  const names = options.map(({ name }) => name);
  check.unique(names, (index) => [...path, index, 'name'], faults.repeatedOption);
  const firstOptional = options.findIndex(({ required }) => !required);
  for (const [index, { required }] of options.entries()) {
    if (required && firstOptional >= 0 && index > firstOptional)
      check.fault([...path, index], faults.requiredLate);
  }
  const nested = options.filter(({ type }) => type <= subcommandGroup).length;
  if (nested > 0 && nested < options.length) check.fault(path, faults.besideNested);
  return options;
}

function readOption(check: FormCheck, raw: Json, path: Path): CommandOption {
  const { type, required, autocomplete, min_value, max_value, min_length, max_length, channel_types } =
    raw as unknown as CommandOption;
  const choices = readChoices(check, raw['choices'], [...path, 'choices']);
  if (autocomplete && choices.length > 0) check.fault(path, faults.completedChoices);
  if (autocomplete && !completed.has(type)) check.fault(path, faults.notCompleted);
  const option: CommandOption = { ...readNamed(check, raw, path), type };
  if (required === true) option.required = true;
  if (autocomplete === true) option.autocomplete = true;
  if (choices.length > 0) option.choices = choices;
  for (const [key, value] of Object.entries({ min_value, max_value, min_length, max_length, channel_types }))
    if (value !== undefined && value !== null) option[key] = value;
  if (type <= subcommandGroup) option.options = readOptions(check, raw['options'], [...path, 'options']);
  return option;
}

function readChoices(check: FormCheck, raw: unknown, path: Path): Choice[] {
  const choices = objectsOf(raw);
  const names = choices.map(({ name }) => name);
  check.unique(names, (index) => [...path, index, 'name'], faults.repeatedChoice);
  return choices.map((choice, index) => {
    const { name, value } = choice;
    const at = [...path, index, 'name_localizations'];
    const translations = localizations(check, choice['name_localizations'], at);
    return { name: String(name), name_localizations: translations, value: value as string | number };
  });
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
