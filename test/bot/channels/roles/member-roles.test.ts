import { describe, expect, it, vi } from 'vitest';
import { guildId } from '../../discord-world.ts';
import { champion, day, manageRoles, memberId, mira, staff, startRoleWorld, veteran } from './role-world.ts';

const isChange = ({ method, path }: { method: string; path: string }): boolean =>
  method !== 'GET' && path.includes('/roles/');

describe('a role that follows the game', () => {
  it('is given to who is due, and taken once they are not', async () => {
    await using roles = await startRoleWorld();
    roles.due.set(veteran, new Set([mira]));
    await roles.run();
    expect(roles.rolesOf(mira)).toEqual([veteran]);
    await roles.run();
    expect(roles.changes()).toEqual([`PUT ${mira} ${veteran}`]);
    roles.due.set(veteran, new Set());
    await roles.run();
    expect(roles.rolesOf(mira)).toEqual([]);
    expect(await roles.records.of(guildId)).toEqual([]);
  });

  it('is never taken from who has it from somebody else, nor is another role', async () => {
    await using roles = await startRoleWorld();
    roles.discord.setMember(guildId, mira, [veteran, staff]);
    roles.due.set(veteran, new Set([mira]));
    await roles.run();
    roles.due.set(veteran, new Set());
    await roles.run();
    expect(roles.rolesOf(mira)).toEqual([veteran, staff]);
    expect(roles.changes()).toEqual([]);
  });

  it('stays as a moderator left it, until the member is back in the guild', async () => {
    await using roles = await startRoleWorld();
    roles.due.set(veteran, new Set([mira]));
    await roles.run(1_000);
    roles.discord.setMember(guildId, mira, []);
    await roles.run(2 * day);
    expect(roles.rolesOf(mira)).toEqual([]);
    roles.discord.setMember(guildId, mira, null);
    roles.clock.advance(1_000);
    roles.discord.setMember(guildId, mira, []);
    await roles.run(2 * day);
    expect(roles.rolesOf(mira)).toEqual([veteran]);
  });

  it('is given to a linked member who joins the guild later, and asked for seldom before', async () => {
    await using roles = await startRoleWorld({
      roles: [veteran, champion].map((roleId) => ({ roleId, linked: true })),
    });
    const later = memberId(7);
    for (const role of [veteran, champion]) roles.due.set(role, new Set([later]));
    await roles.run();
    await roles.run();
    const asked = roles.discord.requests.filter(({ path }) => path.endsWith(`/members/${later}`));
    expect(asked).toHaveLength(1);
    expect(roles.errors()).toEqual([]);
    roles.discord.setMember(guildId, later, []);
    await roles.run(day);
    expect(roles.rolesOf(later)).toEqual([veteran, champion]);
  });

  it('is forgotten quietly of who has left', async () => {
    await using roles = await startRoleWorld();
    roles.due.set(veteran, new Set([mira]));
    await roles.run();
    roles.discord.setMember(guildId, mira, null);
    roles.due.set(veteran, new Set());
    await roles.run();
    expect(await roles.records.of(guildId)).toEqual([]);
    expect(roles.errors()).toEqual([]);
  });

  it('is taken by a bot whose config no longer names it, and forgotten with the guild', async () => {
    await using roles = await startRoleWorld();
    roles.due.set(veteran, new Set([mira]));
    await roles.run();
    await roles.world.restart({ config: { ...roles.settings, roles: [] } });
    await roles.run();
    expect(roles.rolesOf(mira)).toEqual([]);
    await roles.world.restart();
    await roles.run();
    expect(await roles.records.of(guildId)).toHaveLength(1);
    roles.discord.removeGuild(guildId);
    await expect.poll(() => roles.records.of(guildId)).toEqual([]);
  });

  it('is remembered where the store is away as the bot leaves a guild, and the bot runs on', async () => {
    await using roles = await startRoleWorld();
    roles.due.set(veteran, new Set([mira]));
    await roles.run();
    roles.records.forget = async () => await Promise.reject(new Error('the store does not answer'));
    roles.discord.removeGuild(guildId);
    const warnings = () => roles.world.lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
    await expect.poll(warnings).toContain(`could not forget the roles in the guild ${guildId}`);
    expect(await roles.records.of(guildId)).toHaveLength(1);
  });

  it('stays in a guild that the config no longer names', async () => {
    await using roles = await startRoleWorld({ config: { guilds: [{ id: guildId }] } });
    roles.due.set(veteran, new Set([mira]));
    await roles.run();
    roles.due.set(veteran, new Set());
    await roles.world.restart({ config: { ...roles.settings, guilds: [{ id: '1100000000000000999' }] } });
    await roles.run();
    expect(roles.rolesOf(mira)).toEqual([veteran]);
    await roles.world.restart({ config: { ...roles.settings, guilds: [{ id: guildId }] } });
    await roles.run();
    expect(roles.rolesOf(mira)).toEqual([]);
  });

  it('is given to whom it is due also after the store was away, and taken again', async () => {
    await using roles = await startRoleWorld({ members: [mira, memberId(7)] });
    roles.due.set(veteran, new Set([mira]));
    await roles.run();
    await roles.run();
    vi.spyOn(roles.records, 'set').mockRejectedValueOnce(new Error('the store is away'));
    roles.due.set(veteran, new Set([mira, memberId(7)]));
    await roles.run();
    await roles.run();
    expect(roles.rolesOf(memberId(7))).toEqual([veteran]);
    roles.due.set(veteran, new Set());
    await roles.run();
    expect(roles.changes().toSorted()).toEqual(
      ['DELETE', 'PUT']
        .flatMap((method) => [mira, memberId(7)].map((id) => `${method} ${id} ${veteran}`))
        .toSorted(),
    );
  });

  it('is left alone while it cannot be known who is due', async () => {
    await using roles = await startRoleWorld();
    roles.due.set(veteran, new Set([mira]));
    await roles.run();
    roles.due.set(veteran, 'no server of the project has logs');
    await roles.run();
    await roles.run();
    expect(roles.rolesOf(mira)).toEqual([veteran]);
    expect(roles.errors()).toEqual([
      `role "Veteran" (${veteran}) is neither given nor taken: no server of the project has logs`,
    ]);
  });
});

describe('5,000 members, of whom 300 change at once', () => {
  it('are all served within the limits, and nothing else is touched', async () => {
    const all = Array.from({ length: 5_000 }, (_, index) => memberId(index));
    await using roles = await startRoleWorld({
      members: all,
      discord: {
        messageLimits: {
          perChannel: { count: 5, windowMs: 5_000 },
          memberRoles: { count: 50, windowMs: 500 },
        },
        // The limits' windows pass by themselves.
        now: Date.now,
      },
    });
    // Half of those who have it already have it from a moderator.
    const before = all.slice(0, 4_850);
    for (const [index, id] of before.entries())
      roles.discord.setMember(guildId, id, index % 2 ? [veteran, staff] : [veteran]);
    const byHand = before.filter((_, index) => index % 2);
    const given = before.filter((_, index) => index % 2 === 0);
    const state = { roleId: veteran, at: roles.clock.now() };
    await roles.records.set(guildId, [
      ...given.map((id) => ({ ...state, memberId: id, state: 'given' as const })),
      ...byHand.map((id) => ({ ...state, memberId: id, state: 'skipped' as const })),
    ]);
    const gone = given.slice(0, 150);
    const gets = all.slice(4_850);
    // As an earlier process left it.
    await roles.world.restart();
    roles.due.set(
      veteran,
      new Set(all.filter((id) => !gone.includes(id) && !byHand.slice(0, 500).includes(id))),
    );
    await roles.run();

    expect(roles.changes().toSorted()).toEqual(
      [
        ...gone.map((id) => `DELETE ${id} ${veteran}`),
        ...gets.map((id) => `PUT ${id} ${veteran}`),
      ].toSorted(),
    );
    expect(roles.discord.requests.filter(({ status }) => status === 429)).toEqual([]);
    for (const id of gone) expect(roles.rolesOf(id)).toEqual([]);
    for (const id of gets) expect(roles.rolesOf(id)).toEqual([veteran]);
    for (const id of byHand) expect(roles.rolesOf(id)).toEqual([veteran, staff]);
  });
});

describe('a bot that is killed in the middle', () => {
  it.each([true, false])(
    'gives nothing twice and forgets nothing (Discord got the last request: %s)',
    async (arrived) => {
      const all = Array.from({ length: 20 }, (_, index) => memberId(index));
      await using roles = await startRoleWorld({ members: all });
      roles.due.set(veteran, new Set(all));
      let changes = 0;
      roles.discord.fail(
        (request) => isChange(request) && ++changes > 10,
        { cut: true, afterwards: arrived },
        Infinity,
      );
      const running = roles.run();
      await expect.poll(() => changes).toBeGreaterThan(10);
      changes = -Infinity;
      await roles.world.restart();
      await running;
      await roles.run();
      const puts = roles.discord.requests.filter(
        ({ status, path, method }) => method === 'PUT' && path.includes('/roles/') && status === 204,
      );
      for (const id of all) expect(roles.rolesOf(id)).toEqual([veteran]);
      expect(new Set(puts.map(({ path }) => path)).size).toBe(puts.length);
      roles.due.set(veteran, new Set());
      await roles.run();
      for (const id of all) expect(roles.rolesOf(id)).toEqual([]);
      expect(await roles.records.of(guildId)).toEqual([]);
    },
  );
});

describe('an obstacle', () => {
  const cases = [
    {
      what: 'the bot may not manage roles',
      make: (roles: World) => roles.discord.grantBotRole(guildId, 0n),
      lift: (roles: World) => roles.discord.grantBotRole(guildId, manageRoles),
      says: /the bot lacks Manage Roles; grant it/,
    },
    {
      what: 'the role is above the bot',
      make: (roles: World) => roles.discord.setRole(guildId, veteran, { position: 10 }),
      lift: (roles: World) => roles.discord.setRole(guildId, veteran, { position: 9 }),
      says: /not below "Outpost", the bot's highest role; move "Outpost" above "Veteran"/,
    },
    {
      what: 'the role has power over others',
      make: (roles: World) =>
        roles.discord.setRole(guildId, veteran, { permissions: (1n << 2n) | (1n << 13n) }),
      lift: (roles: World) => roles.discord.setRole(guildId, veteran, { permissions: 0n }),
      says: /it has Ban Members, Manage Messages, which nobody gets for playing; switch that off/,
    },
  ];
  type World = Awaited<ReturnType<typeof startRoleWorld>>;

  it.each(cases)('is named once, and nothing is asked of Discord: $what', async ({ make, lift, says }) => {
    await using roles = await startRoleWorld();
    make(roles);
    roles.due.set(veteran, new Set([mira]));
    await expect
      .poll(async () => {
        await roles.run();
        return roles.errors();
      })
      .toEqual([expect.stringMatching(says)]);
    await roles.run();
    expect(roles.errors()).toHaveLength(1);
    expect(roles.changes()).toEqual([]);
    // Nobody waits for the next poll.
    lift(roles);
    await expect.poll(() => roles.rolesOf(mira)).toEqual([veteran]);
  });

  it('stops a role that is moved above the bot while it works, and no other', async () => {
    const all = Array.from({ length: 60 }, (_, index) => memberId(index));
    const rules = [
      { roleId: veteran, linked: true as const },
      { roleId: champion, linked: true as const },
    ];
    await using roles = await startRoleWorld({ members: all, roles: rules });
    roles.due.set(veteran, new Set(all));
    roles.due.set(champion, new Set(all));
    const moving = roles.discord.fail((request) => {
      if (isChange(request) && roles.changes().length >= 20) {
        moving();
        roles.discord.setRole(guildId, veteran, { position: 15 });
      }
      return false;
    }, {});
    await roles.run();
    const refused = roles.discord.requests.filter(({ status }) => status === 403);
    // One may be on its way before the bot hears of it.
    expect(refused.length).toBeLessThanOrEqual(1);
    const having = (role: string) => all.filter((id) => roles.rolesOf(id)?.includes(role)).length;
    expect(having(champion)).toBe(60);
    expect(having(veteran)).toBeLessThan(60);
    await roles.run();
    expect(roles.errors().at(-1)).toContain('move "Outpost" above "Veteran"');
    roles.discord.setRole(guildId, veteran, { position: 3 });
    await expect.poll(() => having(veteran)).toBe(60);
  });

  it('is named where the role is deleted, and what was known of it is dropped', async () => {
    await using roles = await startRoleWorld();
    roles.due.set(veteran, new Set([mira]));
    await roles.run();
    roles.discord.setRole(guildId, veteran, null);
    await expect
      .poll(async () => {
        await roles.run();
        return await roles.records.of(guildId);
      })
      .toEqual([]);
    expect(roles.errors()).toEqual([expect.stringContaining(`role ${veteran} is neither given nor taken`)]);
    expect(roles.changes()).toEqual([`PUT ${mira} ${veteran}`]);
  });

  it('is a refusal of Discord: the role is left alone for an hour', async () => {
    await using roles = await startRoleWorld();
    const lift = roles.discord.fail(
      isChange,
      { status: 403, body: { code: 50013, message: 'Missing Permissions' } },
      Infinity,
    );
    roles.due.set(veteran, new Set([mira]));
    await roles.run();
    await roles.run();
    expect(roles.changes()).toHaveLength(1);
    expect(roles.errors()).toEqual([expect.stringContaining('Discord refuses it: Missing Permissions')]);
    lift();
    await roles.run(3_600_000);
    expect(roles.rolesOf(mira)).toEqual([veteran]);
  });

  it('is a guild that is not a home guild', async () => {
    await using roles = await startRoleWorld({
      config: { guildIds: [], guilds: [{ id: '1100000000000000999' }] },
    });
    roles.due.set(veteran, new Set([mira]));
    await roles.run();
    expect(roles.rolesOf(mira)).toEqual([]);
    expect(roles.errors()).toEqual([expect.stringContaining('its Discord server is not one of')]);
  });

  it('is an outage: it is logged once, and all is done after it', async () => {
    await using roles = await startRoleWorld();
    const lift = roles.discord.fail(({ path }) => path.includes('/members/'), { status: 500 }, Infinity);
    roles.due.set(veteran, new Set([mira]));
    await roles.run();
    await roles.run();
    const warnings = roles.world.lines.filter(({ msg }) => msg.startsWith('could not give and take roles'));
    expect(warnings).toHaveLength(1);
    lift();
    await roles.run();
    expect(roles.rolesOf(mira)).toEqual([veteran]);
  });
});
