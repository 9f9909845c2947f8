import { PermissionFlagsBits } from 'discord.js';
import { expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { refusalFor } from '../../src/commands/permission.ts';
import { noCommunity } from '../../src/community/no-community.ts';
import { asker, context } from './context.ts';

const permissions = PermissionFlagsBits.BanMembers;

it('lets those who may use it, and all others that are for everyone', () => {
  expect(refusalFor(commands.bans, context({ asker: asker({ permissions }) }))).toBeNull();
  expect(refusalFor(commands.status, context())).toBeNull();
});

it('refuses members without the permission', () => {
  const refusal = refusalFor(commands.bans, context({ asker: asker({ permissions: 0n }) }));
  expect(refusal?.embeds[0]?.description).toContain('permission to ban members');
});

it.each([
  ['heatmap', {}],
  ['link', {}],
  ['me', {}],
  ['outpost', { subcommand: 'watch list' }],
  ['outpost', { subcommand: 'player hide' }],
  ['outpost', { subcommand: 'setup', kind: 'feed' }],
  ['outpost', { subcommand: 'setup', kind: 'recap' }],
  ['outpost', { subcommand: 'setup', kind: 'leaderboard', metric: 'KD' }],
  ['outpost', { subcommand: 'alert', newcomers: true }],
] as const)(
  'refuses what needs the store of the service where that is elsewhere: /%s %j',
  (name, options) => {
    const manager = asker({ permissions: PermissionFlagsBits.ManageGuild });
    const beside = context({ asker: manager });
    expect(refusalFor(commands[name], beside, options)).toBeNull();
    const refusal = refusalFor(commands[name], { ...beside, community: noCommunity }, options);
    expect(refusal?.embeds[0]?.title).toBe('🔌 Not available');
  },
);

it.each([
  ['status', {}],
  ['outpost', { subcommand: 'setup', kind: 'leaderboard', metric: 'DEATHS' }],
  ['outpost', { subcommand: 'alert', down: true }],
  ['outpost', { subcommand: 'posts' }],
] as const)('lets all else be used there: /%s %j', (name, options) => {
  const manager = asker({ permissions: PermissionFlagsBits.ManageGuild });
  const elsewhere = { ...context({ asker: manager }), community: noCommunity };
  expect(refusalFor(commands[name], elsewhere, options)).toBeNull();
});
