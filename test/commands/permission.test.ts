import { PermissionFlagsBits } from 'discord.js';
import { expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { refusalFor } from '../../src/commands/permission.ts';
import { languageOf } from '../../src/locales/language.ts';
import { asker } from './context.ts';

const language = languageOf('en-US');
const permissions = PermissionFlagsBits.BanMembers;

it('lets those who may use it, and all others that are for everyone', () => {
  expect(refusalFor(commands.bans, asker({ permissions }), language)).toBeNull();
  expect(refusalFor(commands.status, asker(), language)).toBeNull();
});

it('refuses members without the permission', () => {
  const refusal = refusalFor(commands.bans, asker({ permissions: 0n }), language);
  expect(refusal?.embeds[0]?.description).toContain('permission to ban members');
});
