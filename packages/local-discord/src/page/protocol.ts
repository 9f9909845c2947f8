import type { Attachment, CommandOption, Component, Embed, Mentions } from '../discord-types.ts';

/** What the page and its server send each other, as JSON. Names in it are other people's text: draw them as text only. */

export interface MessageView {
  id: string;
  channelId: string;
  author: { id: string; name: string; bot: boolean };
  content: string;
  embeds: Embed[];
  components: Component[];
  /** Those that no embed shows. */
  attachments: Attachment[];
  /** Only the viewer sees it. */
  ephemeral: boolean;
  /** The bot deferred its answer. */
  loading: boolean;
  /** Epoch ms. */
  createdAt: number;
  editedAt: number | null;
  mentions: Mentions;
  referenceId: string | null;
  /** The command that this message answers. */
  command: { name: string; user: { id: string; name: string } } | null;
}

export interface CommandView {
  id: string;
  name: string;
  description: string;
  options: CommandOption[];
  guildId: string | null;
  name_localizations: Record<string, string> | null;
  description_localizations: Record<string, string> | null;
}

export interface ChannelView {
  id: string;
  name: string;
  topic: string | null;
}

export interface GuildView {
  id: string;
  name: string;
  channels: ChannelView[];
  /** Names by id. */
  roles: Record<string, string>;
  /** User ids. */
  members: string[];
  /** Role ids of the viewer. */
  ownRoles: string[];
  /** Commands that the viewer may use. */
  commands: CommandView[];
}

export interface PersonaView {
  id: string;
  username: string;
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
  bot: { id: string; name: string } & BotStatus;
  /** Display names by user id. */
  users: Record<string, string>;
  guilds: GuildView[];
}

export type PageEvent =
  | { type: 'message'; change: 'created' | 'edited'; message: MessageView }
  | { type: 'messageDeleted'; channelId: string; messageId: string }
  | { type: 'channelsChanged' | 'commandsChanged'; guildId: string | null }
  | ({ type: 'bot' } & BotStatus)
  | { type: 'typing'; channelId: string };

export interface Choice {
  name: string;
  value: string | number | boolean;
}
