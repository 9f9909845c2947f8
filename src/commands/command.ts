import type { APIEmbed, RESTPostAPIChatInputApplicationCommandsJSONBody } from 'discord.js';
import type { Client } from '../api/client-types.ts';
import type { Language } from '../locales/language.ts';

/** What a member filled in, by option name. */
export type CommandOptions = Readonly<Record<string, string | number | boolean>>;

/** All that a command may know. It holds nothing of Discord's, so that it can be answered anywhere. */
export interface CommandContext {
  client: Client;
  options: CommandOptions;
  language: Language;
  /** Epoch milliseconds. */
  now: number;
}

export interface AutocompleteContext extends CommandContext {
  focused: { name: string; value: string };
}

export interface Choice {
  name: string;
  value: string;
}

/** Who sees the answer: everyone in the channel, or only who asked. */
export type Visibility = 'public' | 'private';

export interface Reply {
  embeds: APIEmbed[];
  /** Set when this answer is for the asking member only, whatever the command's visibility (failures, wrong input). */
  visibility?: 'private';
}

export interface Command {
  definition: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** Decided before the answer is known, since a deferral fixes it. */
  visibility(options: CommandOptions): Visibility;
  /** Rejects only with errors of the client; whatever a member may enter is answered. */
  run(context: CommandContext): Promise<Reply>;
  /** At most 25 choices, from the client's kept answers. Never rejects. */
  autocomplete?(context: AutocompleteContext): Promise<Choice[]>;
}

/** The text of an option, trimmed; null when it was left out or is blank. */
export function textOption(options: CommandOptions, name: string): string | null {
  const value = options[name];
  if (value === undefined) return null;
  const text = String(value).trim();
  return text === '' ? null : text;
}

/** The number of an option; null when it was left out. */
export function numberOption(options: CommandOptions, name: string): number | null {
  const value = options[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
