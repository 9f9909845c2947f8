import { isSupported, locales } from '../../locales/language.ts';
import type { Choice } from '../choices.ts';
import {
  textOption,
  type AutocompleteContext,
  type Command,
  type CommandContext,
  type CommandOptions,
  type Press,
  type Reply,
} from '../command.ts';
import type { CommandOption, SubcommandDefinition } from '../definition.ts';

/** A subcommand of `/outpost`, or a group of them. */
export interface Subcommand {
  definition: SubcommandDefinition;
  needsStore?: Command['needsStore'];
  /** By path: `setup`; in a group, `watch add`. */
  runs: Readonly<Record<string, (context: CommandContext) => Promise<Reply>>>;
  /** Buttons and menus by action, which is unique among all subcommands. */
  presses?: Readonly<Record<string, Press>>;
  completes?: Readonly<Record<string, (context: AutocompleteContext) => Promise<Choice[]>>>;
}

/** The option `language` of a post or an alert. */
export const languageOption = {
  type: 'String',
  name: 'language',
  choices: locales,
} as const satisfies CommandOption;

/** What that option says; undefined: the guild's language. */
export function localeOf(options: CommandOptions): string | undefined {
  const locale = textOption(options, 'language');
  return locale !== null && isSupported(locale) ? locale : undefined;
}
