import { PermissionFlagsBits } from 'discord.js';
import { expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { refusalFor } from '../../src/commands/permission.ts';
import { languageOf } from '../../src/locales/language.ts';
import { asker } from './context.ts';

const language = languageOf('en-US');
const permissions = PermissionFlagsBits.BanMembers;

it('refuses a command that is for guilds only in private messages, whatever the permissions', () => {
  const refusal = refusalFor(commands.bans, asker({ guildId: null, permissions }), language);
  expect(refusal?.visibility).toBe('private');
  expect(refusal?.embeds[0]?.description).toContain('only works in a Discord server');
});

it('lets those who may use it, and all others that are for everyone', () => {
  expect(refusalFor(commands.bans, asker({ permissions }), language)).toBeNull();
  expect(refusalFor(commands.status, asker({ guildId: null, permissions: null }), language)).toBeNull();
});

it('refuses members without the permission', () => {
  const refusal = refusalFor(commands.bans, asker({ permissions: 0n }), language);
  expect(refusal?.embeds[0]?.description).toContain('permission to ban members');
});
