import type { Command, LocalEvent, Message, User } from '../discord-types.ts';
import type { Overwrite } from './permissions.ts';

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

export interface StoredFile {
  contentType: string;
  bytes: Buffer;
}

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
  /** Commands by id; those without a `guild_id` are global. */
  readonly commands: Map<string, Command>;
  readonly files: Map<string, StoredFile>;
  dispatch: (event: string, data: unknown, audience: Audience) => void;
  publish: (event: LocalEvent) => void;
}

/** Adds a user, or brings the stored one's names up to date. */
export function rememberUser(
  state: State,
  { id, username, displayName = username }: { id: string; username: string; displayName?: string },
): User {
  const user = state.users.get(id) ?? { id, username, displayName, bot: false };
  state.users.set(id, Object.assign(user, { username, displayName }));
  return user;
}
