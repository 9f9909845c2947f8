import { once } from 'node:events';
import { Events, Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { guildId, member, startWorld } from './bot.ts';

const low = '1100000000000000601';
const high = '1100000000000000602';
const manageRoles = 1n << 28n;

/** A guild in which the bot's role has position 5, with one role below it and one above. */
async function startRoles() {
  const world = await startWorld([], {
    messageLimits: {
      perChannel: { count: 5, windowMs: 5_000 },
      memberRoles: { count: 2, windowMs: 60_000 },
    },
  });
  const { discord } = world;
  const [own = ''] = discord.memberRoles(guildId, discord.applicationId) ?? [];
  discord.setRole(guildId, own, { position: 5 });
  discord.setRole(guildId, low, { name: 'Regulars', position: 2 });
  discord.setRole(guildId, high, { name: 'Staff', position: 9 });
  discord.setMember(guildId, member.id, []);
  return { ...world, own };
}

const roleOf = (memberId: string, roleId: string) => Routes.guildMemberRole(guildId, memberId, roleId);

test('the bot gives and takes roles below its own, once it may manage roles', async () => {
  await using world = await startRoles();
  const { discord, rest } = world;
  await expect(rest.put(roleOf(member.id, low))).rejects.toMatchObject({ code: 50013 });
  discord.grantBotRole(guildId, manageRoles);
  await rest.put(roleOf(member.id, low));
  expect(discord.memberRoles(guildId, member.id)).toEqual([low]);
  await rest.delete(roleOf(member.id, low));
  expect(discord.memberRoles(guildId, member.id)).toEqual([]);
  await expect(rest.delete(roleOf(member.id, high))).rejects.toMatchObject({ code: 50013 });
});

test('members, roles that are not there, and roles of integrations are refused by name', async () => {
  await using world = await startRoles();
  const { discord, rest, own } = world;
  discord.grantBotRole(guildId, manageRoles);
  discord.setMember(guildId, member.id, null);
  await expect(rest.put(roleOf(member.id, low))).rejects.toMatchObject({ code: 10007 });
  await expect(rest.put(roleOf(member.id, '1100000000000000699'))).rejects.toMatchObject({ code: 10011 });
  await expect(rest.delete(roleOf(member.id, own))).rejects.toMatchObject({ code: 50028 });
});

test('changes of roles reach the bot, and its requests are limited for each guild', async () => {
  await using world = await startRoles();
  const { discord, client } = world;
  discord.grantBotRole(guildId, manageRoles);
  discord.setRole(guildId, low, { position: 3 });
  await expect.poll(() => client.guilds.cache.get(guildId)?.roles.cache.get(low)?.rawPosition).toBe(3);
  const deleted = once(client, Events.GuildRoleDelete);
  discord.setMember(guildId, member.id, [low, high]);
  discord.setRole(guildId, high, null);
  await deleted;
  expect(discord.memberRoles(guildId, member.id)).toEqual([low]);
  const statuses: number[] = [];
  for (const _ of [1, 2, 3]) {
    const answer = await fetch(`${discord.apiUrl}/v10${roleOf(member.id, low)}`, {
      method: 'PUT',
      headers: { authorization: 'Bot local-test-token' },
    });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([204, 204, 429]);
});
