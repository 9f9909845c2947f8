import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RoleHolders, RoleMembers } from '../../../../src/commands/interfaces/community.ts';
import { createBotRecords } from '../../../../src/community/bot-records.ts';
import type { LocalDiscordOptions } from 'local-discord';
import { createTestClock } from '../../../harness/clock.ts';
import { openNewStore } from '../../../harness/new-store.ts';
import { channelId, guildId, startTimedWorld, type DiscordInput } from '../../discord-world.ts';

export const veteran = '1100000000000000601';
export const champion = '1100000000000000602';
/** The bot does not give it. */
export const staff = '1100000000000000603';
export const manageRoles = 1n << 28n;
export const day = 86_400_000;

export const mira = '1100000000000000301';
export const memberId = (number: number): string => String(1_200_000_000_000_000_000n + BigInt(number));

interface RoleWorldOptions {
  roles?: DiscordInput['roles'];
  config?: DiscordInput;
  members?: readonly string[];
  discord?: Partial<LocalDiscordOptions>;
  botMayManageRoles?: boolean;
}

/** A bot that gives roles to whom the test says, in a guild in which the bot's role is above those of the config. */
export async function startRoleWorld(options: RoleWorldOptions = {}) {
  const { members = [mira], botMayManageRoles = true } = options;
  const folder = await mkdtemp(join(tmpdir(), 'outpost-roles-'));
  const store = await openNewStore(join(folder, 'outpost.sqlite'));
  /** Who meets the rule of each role. */
  const due = new Map<string, RoleHolders | string>();
  const { roleRecords: records } = createBotRecords(store.db, store.db, () => 0);
  const roleMembers: RoleMembers = async (asked) =>
    new Map(asked.map(({ roleId }) => [roleId, due.get(roleId) ?? new Set()]));
  const roles = options.roles ?? [{ roleId: veteran, linked: true }];
  const { world, clock, settings } = await startTimedWorld({
    clock: createTestClock(Date.UTC(2026, 10, 25)),
    config: { locale: 'en-US', roles, ...options.config },
    timing: { roleGapMs: 0 },
    discord: {
      guilds: [
        {
          id: guildId,
          name: 'Northwood',
          channels: [{ id: channelId, name: 'general' }],
          roles: [
            { id: veteran, name: 'Veteran', position: 3 },
            { id: champion, name: 'Champion', position: 4 },
            { id: staff, name: 'Staff', position: 20 },
          ],
          members: members.map((id) => ({ id, username: `m${id}` })),
        },
      ],
      ...options.discord,
    },
    prepare(discord) {
      const [own = ''] = discord.memberRoles(guildId, discord.applicationId) ?? [];
      discord.setRole(guildId, own, { name: 'Outpost', position: 10 });
      if (botMayManageRoles) discord.grantBotRole(guildId, manageRoles);
    },
    bot: { community: { roleMembers }, records: { roleRecords: records } },
  });
  await world.bot.jobs?.roles?.run();
  return {
    world,
    discord: world.discord,
    clock,
    due,
    records,
    roleMembers,
    settings,
    run: async (ms = 0) => {
      clock.advance(ms);
      await world.bot.jobs?.roles?.run();
    },
    rolesOf: (id: string) => world.discord.memberRoles(guildId, id),
    /** The bot's changes of roles, `PUT 301 601`. */
    changes: () =>
      world.discord.requests.flatMap(({ method, path }) => {
        const [, member, role] = /\/members\/(\d+)\/roles\/(\d+)$/.exec(path) ?? [];
        return member === undefined ? [] : [`${method} ${member} ${role}`];
      }),
    errors: () => world.lines.filter(({ level }) => level >= 50).map(({ msg }) => msg),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}
