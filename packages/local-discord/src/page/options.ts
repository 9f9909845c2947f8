import type { Command, CommandOption } from '../discord-types.ts';
import type { Choice, GuildView } from './protocol.ts';

/** What a command's options take, as the composer needs it. */

const optionType = {
  subcommand: 1,
  group: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
} as const;

/** A command, or one of its sub-commands, as it is typed. */
export interface TypedCommand {
  /** With its sub-commands: `settings posts`. */
  name: string;
  /** The same in the viewer's language. */
  label: string;
  description: string;
  options: CommandOption[];
}

type Translations = Record<string, string> | null | undefined;

const byLocale = (text: string, translations: Translations, locale: string): string =>
  translations?.[locale] ?? text;

/** Name and description in the reader's language. */
export function localized(
  item: Command | CommandOption,
  locale: string,
): { name: string; description: string } {
  return {
    name: byLocale(item.name, item.name_localizations, locale),
    description: byLocale(item.description, item.description_localizations, locale),
  };
}

/** Every command that can be typed, sub-commands each on their own. */
export function typedCommands(commands: readonly Command[], locale: string): TypedCommand[] {
  const all: TypedCommand[] = [];
  const walk = (item: Command | CommandOption, words: string[], shown: string[]): void => {
    const { name, description } = localized(item, locale);
    const path = [...words, item.name];
    const label = [...shown, name];
    const nested = (item.options ?? []).filter((option) => option.type <= optionType.group);
    if (nested.length > 0) for (const option of nested) walk(option, path, label);
    else
      all.push({
        name: path.join(' '),
        label: label.join(' '),
        description,
        options: item.options ?? [],
      });
  };
  for (const command of commands) walk(command, [], []);
  return all.toSorted((a, b) => a.label.localeCompare(b.label));
}

/** Choices that need no question to the bot; null when the option takes free text. */
export function fixedChoices(
  option: CommandOption,
  guild: GuildView,
  users: Record<string, string>,
  locale: string,
): Choice[] | null {
  if (option.choices) {
    return option.choices.map((choice) => ({
      name: byLocale(choice.name, choice.name_localizations, locale),
      value: choice.value,
    }));
  }
  const named = (ids: readonly string[], names: Record<string, string>): Choice[] =>
    ids.map((id) => ({ name: `@${names[id] ?? id}`, value: id }));
  switch (option.type) {
    case optionType.boolean:
      return [
        { name: 'True', value: true },
        { name: 'False', value: false },
      ];
    case optionType.channel:
      return guild.channels.map((channel) => ({ name: `#${channel.name}`, value: channel.id }));
    case optionType.user:
    case optionType.mentionable:
      return named(guild.members, users);
    case optionType.role:
      return named(Object.keys(guild.roles), guild.roles);
    default:
      return null;
  }
}

/** The value to send for what was typed into the field; undefined when it does not fit the option. */
export function valueOf(
  option: CommandOption,
  text: string,
  choices: readonly Choice[] | null,
): Choice['value'] | undefined {
  const chosen = choices?.find((choice) => choice.name === text);
  if (chosen) return chosen.value;
  if (option.type === optionType.integer || option.type === optionType.number) {
    const number = Number(text);
    const whole = option.type === optionType.number || Number.isInteger(number);
    const inside = number >= (option.min_value ?? -Infinity) && number <= (option.max_value ?? Infinity);
    return text.trim() !== '' && whole && inside ? number : undefined;
  }
  if (option.type === optionType.string && !option.choices) return text;
  return undefined;
}
