import type { APIActionRowComponent, APIComponentInMessageActionRow, APIEmbed } from 'discord.js';
import type { Client } from '../api/client-types.ts';
import type { Language, TextKey } from '../locales/language.ts';
import type { Choice } from './choices.ts';
import type { CommandDefinition } from './definition.ts';
import type { RightsMember } from './interfaces/player-rights.ts';
import type { Channels, Community, Picture, Pictures } from './interfaces/community.ts';
import type { Visibility } from './visibilities.ts';

export type CommandOptions = Readonly<Record<string, string | number | boolean>>;

/** The member who used the command, and where: commands run in home guilds only. Ids are Discord's. */
export interface Asker {
  userId: string;
  guildId: string;
  channelId: string;
  /** Threads have their own permission for sending messages. */
  isThread: boolean;
  /** The member's permissions in the channel, from the interaction. */
  permissions: bigint;
  /** The bot's permissions in the channel, likewise. */
  botPermissions: bigint;
}

/** The input of a command. It contains no discord.js objects, so commands run without Discord. */
export interface CommandContext {
  client: Client;
  options: CommandOptions;
  language: Language;
  /** Epoch milliseconds. */
  now: number;
  asker: Asker;
  /** The member who owns the answer's buttons: the one who ran the original command. */
  ownerId: string;
  visibility: Visibility;
  mayShare: boolean;
  /** The options come from a component's custom_id, not from user input. */
  pressed: boolean;
  community: Community;
  channels: Channels;
  pictures: Pictures;
}

export interface AutocompleteContext extends CommandContext {
  focused: { name: string; value: string };
}

export interface ComponentContext extends CommandContext {
  messageId: string;
  action: string;
  args: readonly string[];
  /** The selected values of a menu; empty for a button. */
  values: readonly string[];
}

export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

export interface Reply {
  embeds: APIEmbed[];
  components?: Row[];
  /** Embeds refer to them as `attachment://<name>`. Discord shows the others above the embeds. */
  files?: Picture[];
  /**
   * The store's ids of the players whom its picture names. Where everyone sees the answer, it is deleted once one of them is
   * hidden or forgotten.
   */
  players?: readonly number[];
  /**
   * Produces a private answer anew, while Discord still accepts edits of it. Null: it stays as it is.
   * @param now epoch milliseconds
   */
  refresh?: (now: number) => Promise<Reply | null>;
  /** Overrides the command's visibility, for errors and invalid input. */
  visibility?: 'private';
}

/** Answers the use of a button or menu. Null: it does not belong to this command. Rejects like `run`. */
export type Press = (context: ComponentContext) => Promise<Reply> | null;

/** Handles a command's buttons and menus. */
export interface CommandComponents {
  /** `update` changes the component's message; otherwise a new message with this visibility answers. */
  mode(action: string): 'update' | Visibility;
  /** Whether members use it on answers of others, which it leaves as they are. Default: no. */
  isForAll?(action: string): boolean;
  press: Press;
}

export interface Command {
  definition: CommandDefinition;
  /**
   * A permission that is enough for some options, where the settings of a Discord server show the command to members without
   * the one in the definition. Null: none is.
   */
  alsoFor?(options: CommandOptions): bigint | null;
  /**
   * The command cannot be answered without the store of the service, as by a bot on a service elsewhere: the text that says
   * so. Null: with these options it can. Left out: it always can.
   */
  needsStore?(options: CommandOptions): TextKey | null;
  /** Answers any input. Rejects only with errors of the client. */
  run(context: CommandContext): Promise<Reply>;
  /** Returns at most 25 choices. If it rejects, none are offered. */
  autocomplete?(context: AutocompleteContext): Promise<Choice[]>;
  components?: CommandComponents;
}

/** Who is logged as the one who changed something. */
export const memberOf = ({ guildId, userId }: Asker): RightsMember => ({ guildId, userId });

/** The trimmed text of an option; null if it is missing or blank. */
export function textOption(options: CommandOptions, name: string): string | null {
  const value = options[name];
  if (value === undefined) return null;
  const text = String(value).trim();
  return text === '' ? null : text;
}

/** The number of an option; null if it is missing. */
export function numberOption(options: CommandOptions, name: string): number | null {
  const value = options[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
