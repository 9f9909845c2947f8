import { OverwriteType, PermissionFlagsBits, type APIGuildChannel, type APIRole } from 'discord.js';

const { ViewChannel, SendMessages, EmbedLinks, AttachFiles, ReadMessageHistory, Administrator } =
  PermissionFlagsBits;

/** What the bot needs in a channel with posts, by the names of Discord's own settings. */
const needed = new Map([
  ['View Channel', ViewChannel],
  ['Send Messages', SendMessages],
  ['Embed Links', EmbedLinks],
  ['Attach Files', AttachFiles],
  ['Read Message History', ReadMessageHistory],
]);

export const invitedPermissions = [...needed.values()].reduce((all, bit) => all | bit, 0n);

interface GuildMember {
  guildId: string;
  userId: string;
  roles: readonly string[];
}

/** The needed permissions that a member lacks in a channel. Threads and direct messages are not channels here. */
export function missingIn(
  channel: Pick<APIGuildChannel, 'permission_overwrites'>,
  { guildId, userId, roles }: GuildMember,
  guildRoles: readonly Pick<APIRole, 'id' | 'permissions'>[],
): string[] {
  const own = new Set([guildId, ...roles]);
  const base = guildRoles
    .filter(({ id }) => own.has(id))
    .reduce((all, { permissions }) => all | BigInt(permissions), 0n);
  if ((base & Administrator) !== 0n) return [];
  const overwrites = channel.permission_overwrites ?? [];
  const ofRoles = overwrites.filter(
    ({ id, type }) => type === OverwriteType.Role && id !== guildId && own.has(id),
  );
  const steps = [
    overwrites.filter(({ id }) => id === guildId),
    ofRoles,
    overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === userId),
  ];
  const allowed = steps.reduce((bits, step) => {
    const deny = step.reduce((all, one) => all | BigInt(one.deny), 0n);
    const allow = step.reduce((all, one) => all | BigInt(one.allow), 0n);
    return (bits & ~deny) | allow;
  }, base);
  return [...needed].filter(([, bit]) => (allowed & bit) === 0n).map(([name]) => name);
}
