import { OverwriteType, PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import { permissionsIn } from '../../../src/bot/channels/channel-permissions.ts';

const { ViewChannel, SendMessages, EmbedLinks, Administrator, ManageThreads } = PermissionFlagsBits;
const guildId = '1';
const bot = { id: '9', roles: ['2', '3'], guildId, isOwner: false };
const roles = (everyone: bigint, second = 0n, third = 0n) => [
  { id: guildId, permissions: `${everyone}` },
  { id: '2', permissions: `${second}` },
  { id: '3', permissions: `${third}` },
  { id: '4', permissions: `${Administrator}` },
];
const overwrite = (id: string, type: OverwriteType, allow: bigint, deny: bigint) => ({
  id,
  type,
  allow: `${allow}`,
  deny: `${deny}`,
});
const { Role, Member } = OverwriteType;
const base = ViewChannel | SendMessages;

test.each([
  [
    'has those of all its roles',
    roles(base, EmbedLinks, ManageThreads),
    [],
    base | EmbedLinks | ManageThreads,
  ],
  ['not those of other roles', roles(base), [overwrite('4', Role, EmbedLinks, SendMessages)], base],
  ["@everyone's overwrite denies", roles(base), [overwrite(guildId, Role, 0n, SendMessages)], ViewChannel],
  [
    'a role allows what @everyone is denied',
    roles(base),
    [overwrite(guildId, Role, 0n, SendMessages), overwrite('2', Role, SendMessages, 0n)],
    base,
  ],
  [
    'of roles, the one that allows wins',
    roles(base),
    [overwrite('2', Role, 0n, SendMessages), overwrite('3', Role, SendMessages, 0n)],
    base,
  ],
  [
    'its own overwrite comes last',
    roles(base),
    [overwrite('9', Member, 0n, SendMessages), overwrite('2', Role, SendMessages, 0n)],
    ViewChannel,
  ],
  ['without View Channel it has nothing', roles(base), [overwrite('9', Member, EmbedLinks, ViewChannel)], 0n],
])('%s', (_what, guildRoles, overwrites, expected) => {
  expect(permissionsIn(guildRoles, overwrites, bot)).toBe(expected);
});

test.each([
  ['an administrator', roles(base, Administrator), bot],
  ['the owner of the guild', roles(0n), { ...bot, isOwner: true }],
])('%s has all, whatever the channel says', (_who, guildRoles, member) => {
  const granted = permissionsIn(guildRoles, [overwrite('9', Member, 0n, ViewChannel)], member);
  expect(granted & (base | EmbedLinks | ManageThreads)).toBe(base | EmbedLinks | ManageThreads);
});
