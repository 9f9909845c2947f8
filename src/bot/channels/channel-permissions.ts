import {
  ChannelType,
  PermissionFlagsBits,
  type GuildBasedChannel,
  type PermissionsBitField,
} from 'discord.js';

/** The permissions that a message takes, by the name under which Discord shows them. */
const messagePermissions = {
  'View Channel': PermissionFlagsBits.ViewChannel,
  'Send Messages': PermissionFlagsBits.SendMessages,
  'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
  'Embed Links': PermissionFlagsBits.EmbedLinks,
  'Attach Files': PermissionFlagsBits.AttachFiles,
  'Manage Threads': PermissionFlagsBits.ManageThreads,
  'Mention Everyone': PermissionFlagsBits.MentionEveryone,
} as const;

export type MessagePermission = keyof typeof messagePermissions;

export function lacks(permissions: bigint, name: MessagePermission): boolean {
  return (permissions & messagePermissions[name]) === 0n;
}

/** Whether everyone in the guild sees a channel; false: the bot does not know it. */
export function isForAll(channel: GuildBasedChannel | undefined): boolean {
  // The permissions of a private thread are those of the channel around it, but only its own members see it.
  if (channel === undefined || channel.type === ChannelType.PrivateThread) return false;
  return channel.permissionsFor(channel.guild.roles.everyone)?.has(PermissionFlagsBits.ViewChannel) ?? false;
}

/** The bot's permissions in a channel; null: the bot does not know it. */
export function permissionsIn(
  channel: GuildBasedChannel | undefined,
): { permissions: bigint; isThread: boolean } | null {
  const me = channel?.guild.members.me ?? null;
  if (channel === undefined || me === null) return null;
  // discord.js keeps a thread whose channel was converted and deleted later, and knows no permissions there.
  const permissions = channel.permissionsFor(me) as Readonly<PermissionsBitField> | null;
  return permissions && { permissions: permissions.bitfield, isThread: channel.isThread() };
}
