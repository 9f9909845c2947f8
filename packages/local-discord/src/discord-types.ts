import type { APIEmbed } from 'discord-api-types/v10';

/** Messages and commands, in Discord's own field names where they are sent as they are. The page reads this file, too. */

export type Json = Record<string, unknown>;

interface Emoji {
  name?: string;
  id?: string;
}

export interface MenuOption {
  label: string;
  value: string;
  description?: string;
  default?: boolean;
  emoji?: Emoji;
}

export interface Component {
  type: number;
  custom_id?: string;
  disabled?: boolean;
  label?: string;
  style?: number;
  url?: string;
  emoji?: Emoji;
  placeholder?: string;
  min_values?: number;
  max_values?: number;
  options?: MenuOption[];
  components?: Component[];
  [other: string]: unknown;
}

export interface Attachment {
  id: string;
  filename: string;
  description?: string;
  content_type: string;
  size: number;
  url: string;
  proxy_url: string;
  width?: number;
  height?: number;
  /** Shown by an embed (`attachment://name`) and therefore left out of the message's own list. */
  embedded: boolean;
}

/** Whom a message names so that Discord would notify them. */
export interface Mentions {
  everyone: boolean;
  users: string[];
  roles: string[];
}

/** A value that an option offers. */
export interface Choice {
  name: string;
  value: string | number;
  name_localizations?: Record<string, string> | null;
}

export interface CommandOption {
  type: number;
  name: string;
  description: string;
  required?: boolean;
  autocomplete?: boolean;
  choices?: Choice[];
  options?: CommandOption[];
  min_value?: number;
  max_value?: number;
  min_length?: number;
  max_length?: number;
  name_localizations?: Record<string, string> | null;
  description_localizations?: Record<string, string> | null;
  [other: string]: unknown;
}

export interface User {
  id: string;
  username: string;
  displayName: string;
  bot: boolean;
}

export const messageFlag = { suppressEmbeds: 4, ephemeral: 64, loading: 128 } as const;

export interface Message {
  id: string;
  channelId: string;
  guildId: string | null;
  author: User;
  content: string;
  embeds: APIEmbed[];
  components: Component[];
  attachments: Attachment[];
  flags: number;
  /** Epoch ms. */
  createdAt: number;
  editedAt: number | null;
  mentions: Mentions;
  /** The user who alone sees it (ephemeral), else null. */
  visibleTo: string | null;
  /** Named by the author, so that a request that is repeated sends nothing twice (`enforce_nonce`). */
  nonce: string | null;
  /** What it answers. */
  interaction: { id: string; type: number; user: User; commandName: string | null } | null;
  /** The message that this one follows up or replies to. */
  referenceId: string | null;
}

/** A message's parts that are empty unless somebody fills them. */
export const emptyMessage = {
  content: '',
  embeds: [],
  components: [],
  attachments: [],
  flags: 0,
  editedAt: null,
  mentions: { everyone: false, users: [], roles: [] },
  visibleTo: null,
  nonce: null,
  interaction: null,
  referenceId: null,
} satisfies Partial<Message>;

/** A registered application command in Discord's own field names. */
export interface Command {
  id: string;
  application_id: string;
  version: string;
  guild_id?: string;
  type: number;
  name: string;
  description: string;
  name_localizations: Record<string, string> | null;
  description_localizations: Record<string, string> | null;
  options: CommandOption[];
  default_member_permissions: string | null;
  contexts: number[] | null;
  integration_types: number[];
  nsfw: boolean;
}

/** What happens in the local Discord, for the page and for tests. */
export type LocalEvent =
  | { type: 'message'; change: 'created' | 'edited'; message: Message }
  | { type: 'messageDeleted'; channelId: string; messageId: string }
  | { type: 'channelsChanged' | 'commandsChanged'; guildId: string | null }
  | { type: 'bot'; online: boolean; status: string; activity: string | null };
