import { PermissionFlagsBits } from 'discord.js';

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
