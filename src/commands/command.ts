import type {
  APIActionRowComponent,
  APIComponentInMessageActionRow,
  APIEmbed,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import type { Client } from '../api/client-types.ts';
import type { Language } from '../locales/language.ts';
import type { Choice } from './choices.ts';
import type { AutocompleteCache } from './autocomplete-cache.ts';
import type { Picture, Ports } from './ports.ts';

/** What a member filled in, by option name. */
export type CommandOptions = Readonly<Record<string, string | number | boolean>>;

/** Who sees the answer: everyone in the channel, or only who asked. */
export type Visibility = 'public' | 'private';

/** Who asks, and where. Ids are Discord's. */
export interface Asker {
  userId: string;
  /** Null in private messages. */
  guildId: string | null;
  channelId: string | null;
  /** The channel is a thread, which has a permission of its own to send. */
  isThread: boolean;
  /** In a home guild: one of the bot owner's. Elsewhere, and in private messages, only what is public is shown. */
  isHome: boolean;
  /** The member's permissions in the channel, as the interaction states them; null in private messages. */
  permissions: bigint | null;
  /** The bot's own permissions there, likewise. */
  botPermissions: bigint | null;
}

/** All that a command may know. It holds nothing of Discord's, so that it can be answered anywhere. */
export interface CommandContext {
  client: Client;
  options: CommandOptions;
  language: Language;
  /** Epoch milliseconds. */
  now: number;
  asker: Asker;
  /** Whose the answer's buttons are: who asked for the message first. */
  ownerId: string;
  /** Who will see the answer. */
  visibility: Visibility;
  /** Whether the asker may turn a private answer public. */
  mayShare: boolean;
  /** The options come from a button or a menu, not from a member's typing. */
  pressed: boolean;
  ports: Ports;
}

export interface AutocompleteContext extends CommandContext {
  focused: { name: string; value: string };
  memory: AutocompleteCache;
}

export interface ComponentContext extends Omit<CommandContext, 'options'> {
  /** Discord id of the message on which the component stands. */
  messageId: string;
  /** As the custom_id says it. */
  action: string;
  args: readonly string[];
  /** What was chosen in a menu; empty for a button. */
  values: readonly string[];
}

export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

export interface Reply {
  embeds: APIEmbed[];
  components?: Row[];
  /** Embeds name them as `attachment://<name>`. */
  files?: Picture[];
  /** Set when this answer is for the asking member only, whatever the command's visibility (failures, wrong input). */
  visibility?: 'private';
}

/** How a command's own buttons and menus are answered. */
export interface CommandComponents {
  /** `update`: the message that the component stands on is changed; otherwise a new one answers, for whom it says. */
  mode(action: string): 'update' | Visibility;
  /** Null: the component is none of this command's. Rejects as `run` does. */
  press(context: ComponentContext): Promise<Reply> | null;
}

export interface Command {
  definition: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** Decided before the answer is known, since a deferral fixes it. The config may say otherwise. */
  visibility(options: CommandOptions): Visibility;
  /** Rejects only with errors of the client; whatever a member may enter is answered. */
  run(context: CommandContext): Promise<Reply>;
  /** At most 25 choices, from memory. Never rejects. */
  autocomplete?(context: AutocompleteContext): Promise<Choice[]>;
  components?: CommandComponents;
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
