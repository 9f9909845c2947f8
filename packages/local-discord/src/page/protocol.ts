import type { Command, Message } from '../discord-types.ts';

/** What the server sends the page besides messages and events, as JSON. Names in it are other people's text: draw them as text only. */

export interface GuildView {
  id: string;
  name: string;
  channels: { id: string; name: string; topic: string | null }[];
  /** Names by id. */
  roles: Record<string, string>;
  /** User ids. */
  members: string[];
  /** Role ids of the viewer. */
  ownRoles: string[];
  /** Commands that the viewer may use. */
  commands: Command[];
}

export interface PersonaView {
  id: string;
  displayName: string;
  role: string;
  color: string | null;
}

export interface BotStatus {
  online: boolean;
  status: string;
  activity: string | null;
}

/** Everything but the messages, as one persona sees it. */
export interface StateView {
  title: string;
  introduction: string;
  notices: readonly { label: string; text: string; copyable?: boolean }[];
  personas: PersonaView[];
  bot: Message['author'] & BotStatus;
  /** Display names by user id. */
  users: Record<string, string>;
  guilds: GuildView[];
}

export interface Choice {
  name: string;
  value: string | number | boolean;
}
