import { ChannelType, PermissionFlagsBits, type GuildBasedChannel } from 'discord.js';

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

/** Whether everyone in the guild sees a channel. */
export function isForAll(channel: GuildBasedChannel): boolean {
  // Its permissions are those of the channel around it, but only its own members see it.
  if (channel.type === ChannelType.PrivateThread) return false;
  return channel.permissionsFor(channel.guild.roles.everyone)?.has(PermissionFlagsBits.ViewChannel) ?? false;
}
