import type { Attachment, CommandOption, Component, Embed, Mentions } from '../discord-types.ts';
import type { Overwrite } from './permissions.ts';

export interface User {
  id: string;
  username: string;
  displayName: string;
  bot: boolean;
}

export interface Role {
  id: string;
  name: string;
  permissions: bigint;
  position: number;
  managed: boolean;
  /** Everybody may ping it; others need Mention Everyone. */
  mentionable: boolean;
}

export interface Channel {
  id: string;
  /** null in a direct message. */
  guildId: string | null;
  /** Of a thread: the channel it belongs to, and whether it is closed. */
  thread: { parentId: string; isPrivate: boolean; archived: boolean; locked: boolean } | null;
  name: string;
  topic: string | null;
  position: number;
  overwrites: Overwrite[];
  /** The other side of a direct message. */
  recipient: User | null;
  /** In the order of sending. */
  messages: Map<string, Message>;
}

export interface Guild {
  id: string;
  name: string;
  ownerId: string;
  /** The server's preferred locale, `guild_locale` of its interactions. */
  locale: string;
  roles: Map<string, Role>;
  /** Roles of each member by user id. */
  members: Map<string, { user: User; roles: string[]; joinedAt: number }>;
  /** Threads too. */
  channels: Map<string, Channel>;
  /** In an outage the bot knows the guild's id and nothing else. */
  unavailable: boolean;
}

export const messageFlag = { suppressEmbeds: 4, ephemeral: 64, loading: 128, componentsV2: 32768 } as const;

export interface Message {
  id: string;
  channelId: string;
  guildId: string | null;
  author: User;
  content: string;
  embeds: Embed[];
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

export interface StoredFile {
  filename: string;
  contentType: string;
  bytes: Buffer;
}

/** What happens in the local Discord, for the page and for tests. */
export type LocalEvent =
  | { type: 'message'; change: 'created' | 'edited'; message: Message }
  | { type: 'messageDeleted'; channelId: string; messageId: string }
  | { type: 'channelsChanged'; guildId: string | null }
  | { type: 'commandsChanged'; guildId: string | null }
  | { type: 'bot'; online: boolean; status: string; activity: string | null }
  | { type: 'typing'; channelId: string };

/** Which gateway sessions see an event: those of the guild's shard that asked for the intent (0: everybody). */
export interface Audience {
  guildId: string | null;
  intent: number;
}

/** Everything that this Discord stores. `dispatch` sends an event to the bot, `publish` to tests and the page. */
export interface State {
  readonly now: () => number;
  readonly snowflake: () => string;
  readonly applicationId: string;
  token: string;
  readonly bot: User;
  /** Origin of served files, `http://127.0.0.1:PORT`. */
  origin: string;
  readonly guilds: Map<string, Guild>;
  readonly channels: Map<string, Channel>;
  readonly users: Map<string, User>;
  /** Commands by scope: a guild's id, or `global`. */
  readonly commands: Map<string, Map<string, Command>>;
  readonly files: Map<string, StoredFile>;
  dispatch: (event: string, data: unknown, audience: Audience) => void;
  publish: (event: LocalEvent) => void;
}

/** Adds a user, or brings the stored one's names up to date. */
export function rememberUser(state: State, user: User): User {
  const known = state.users.get(user.id);
  if (!known) {
    state.users.set(user.id, user);
    return user;
  }
  known.username = user.username;
  known.displayName = user.displayName;
  return known;
}
