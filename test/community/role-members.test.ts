import { afterEach, describe, expect, it } from 'vitest';
import type { RoleRule } from '../../src/commands/interfaces/community.ts';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import { createRoleMembers } from '../../src/community/role-members.ts';
import { createBotRecords } from '../../src/community/bot-records.ts';
import { type ConfigInput, configSchema } from '../../src/config/schema.ts';
import { addBan, liftBan } from '../../src/server/ingest/bans/by-hand.ts';
import { setLink } from '../../src/server/store/repositories/links/player-links.ts';
import { findTargets, forgetPlayer } from '../../src/server/store/repositories/rights/forget-player.ts';
import { setHidden } from '../../src/server/store/repositories/rights/hide-player.ts';
import { findProjectId } from '../../src/server/store/repositories/projects/projects.ts';
import { importLogs } from '../harness/logs.ts';
import { northwood, steamIds } from '../harness/northwood.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { temporaryFiles } from '../server/ingest/fixture.ts';
import { storedFrom } from './stored.ts';

const ids = Object.fromEntries(Object.entries(steamIds).map(([name, id]) => [name, dayzIdOf(id)]));
type Name = 'ann' | 'bob' | 'cid';
const killed = (time: string, victim: Name, killer: Name): string =>
  `${time} | Player "${victim}" (DEAD) (id=${ids[victim]} pos=<1, 2, 3>) killed by Player "${killer}" (id=${ids[killer]} pos=<1, 2, 3>) with M4-A1 from 100 meters `;
const plays = (who: Name, from: string, to: string): string[] => [
  `${from} | Player "${who}"(id=${ids[who]}) is connected`,
  `${to} | Player "${who}"(id=${ids[who]}) has been disconnected`,
];
const run = (start: string, ...lines: string[]): string =>
  [`AdminLog started on ${start}`, ...lines.toSorted(), ''].join('\n');

/** Wednesday in the week that begins on Monday, 23 February 2026, in Berlin. */
const wednesday = Date.parse('2026-02-25T12:00:00Z');
/** Ann was on for four hours in the week before and for one in this one; Bob for two in this one, in which he killed twice. */
const logs = [
  run(
    '2026-02-17 at 10:00:00',
    ...plays('ann', '10:00:00', '14:00:00'),
    ...plays('cid', '10:00:00', '10:30:00'),
    killed('10:05:00', 'cid', 'ann'),
    killed('10:10:00', 'cid', 'ann'),
    killed('10:20:00', 'cid', 'ann'),
  ),
  run(
    '2026-02-24 at 10:00:00',
    ...plays('ann', '10:00:00', '11:00:00'),
    ...plays('bob', '10:00:00', '12:00:00'),
    killed('10:20:00', 'ann', 'bob'),
    killed('10:30:00', 'ann', 'bob'),
  ),
];

const later = run('2026-02-24 at 14:00:00', ...plays('cid', '14:00:00', '16:00:00'));

const ban = { category: 'CHEATING', reason: 'aimbot' } as const;

let service: TestService;
afterEach(async () => await service.close());

/** All three are linked to members of the same name. */
async function start(changes: Partial<ConfigInput['projects'][number]> = {}) {
  const input = northwood(changes);
  const [server] = input.projects[0]?.servers ?? [];
  if (server !== undefined && !('servers' in changes)) server.logs = '/logs';
  service = await startTestService(input);
  const { db } = service;
  const files = temporaryFiles({ 'x.ADM': logs.join('') });
  expect((await importLogs(db, { serverId: 'northwood-1', files })).failures).toEqual([]);
  const projectId = await findProjectId(db, 'northwood');
  for (const name of ['ann', 'bob', 'cid'] as const) await link(name);
  const config = configSchema.parse(input);
  const elapsed = { ms: 0 };
  const clock = { now: () => wednesday, monotonic: () => elapsed.ms };
  const members = createRoleMembers(storedFrom(() => config, db, clock));
  async function link(name: Name, isProven = true): Promise<void> {
    const [player] = await findTargets(db, { identity: { dayzId: ids[name]! } });
    await setLink(db, projectId, { memberId: name, playerId: player!.id, isProven, linkedAt: 1 });
  }
  return {
    db,
    async who(...rules: RoleRule[]) {
      const holders = (await members(rules.map((rule) => ({ roleId: 'r', ...rule })))).get('r');
      return typeof holders === 'string' ? holders : [...(holders ?? [])].toSorted();
    },
    elapsed,
  };
}

describe('who is to have a role', () => {
  it.each<[string, RoleRule, string[]]>([
    ['linked', { linked: true }, ['ann', 'bob', 'cid']],
    ['two hours in all', { playTime: { hours: 2 } }, ['ann', 'bob']],
    ['two hours this week', { playTime: { hours: 2, period: 'week' } }, ['bob']],
    ['the first by kills', { rank: { first: 1, metric: 'PLAYER_KILLS' } }, ['ann']],
    ['the first two by kills', { rank: { first: 2, metric: 'PLAYER_KILLS' } }, ['ann', 'bob']],
    ['the first by kills this week', { rank: { first: 1, metric: 'PLAYER_KILLS', period: 'week' } }, ['bob']],
    ['played within three days', { playedWithin: { days: 3 } }, ['ann', 'bob']],
  ])('%s', async (_, rule, expected) => {
    const { who } = await start();
    expect(await who(rule)).toEqual(expected);
  });

  it('shares a rank with who has the same figure', async () => {
    const { who } = await start();
    expect(await who({ rank: { first: 1, metric: 'DEATHS', period: 'week' } })).toEqual(['ann']);
    // Bob and Cid have none.
    expect(await who({ rank: { first: 3, metric: 'DEATHS', period: 'week' } })).toEqual(['ann']);
  });

  it('counts the run that a restart a little before the season has begun, as boards do', async () => {
    const rule: RoleRule = { rank: { first: 1, metric: 'PLAYER_KILLS', period: 'season' } };
    const beginning = (start: string) => ({ seasons: [{ name: 'One', start }] });
    // The run began at 09:00 in UTC.
    const { who } = await start(beginning('2026-02-24T09:10:00Z'));
    expect(await who(rule)).toEqual(['bob']);
    await service.close();
    const later = await start(beginning('2026-02-24T09:20:00Z'));
    expect(await later.who(rule)).toEqual([]);
  });

  it('counts a place of who is not linked, and of nobody who is hidden or forgotten', async () => {
    const { db, who } = await start();
    const rank = { rank: { first: 1, metric: 'PLAYER_KILLS' } } as const;
    const projectId = await findProjectId(db, 'northwood');
    await db
      .deleteFrom('player_link')
      .where('project_id', '=', projectId)
      .where('member_id', '=', 'ann')
      .execute();
    expect(await who(rank)).toEqual([]);
    await setHidden(db, { identity: { dayzId: ids['ann']! } }, true);
    expect(await who(rank)).toEqual(['bob']);
    await setHidden(db, { identity: { dayzId: ids['bob']! } }, true);
    expect(await who({ linked: true })).toEqual(['cid']);
    await forgetPlayer(db, { identity: { dayzId: ids['cid']! } });
    expect(await who({ linked: true })).toEqual([]);
  });

  it('gives nobody who is banned for good a role by rank or play time, and the next one the rank', async () => {
    const { db, who } = await start();
    const ann = { listId: 'northwood-bans', player: { kind: 'dayzId', value: ids['ann']! } } as const;
    await addBan(db, { ...ban, ...ann, expiresAt: null });
    expect(await who({ rank: { first: 1, metric: 'PLAYER_KILLS' } })).toEqual(['bob']);
    expect(await who({ playTime: { hours: 1 } })).toEqual(['bob']);
    expect(await who({ playTime: { hours: 1, period: 'week' } })).toEqual(['bob']);
    expect(await who({ linked: true })).toEqual(['ann', 'bob', 'cid']);
    await liftBan(db, ann);
    expect(await who({ rank: { first: 1, metric: 'PLAYER_KILLS' } })).toEqual(['ann']);
  });

  it('counts a period again after half a minute, and leaves out at once who is hidden', async () => {
    const { db, who, elapsed } = await start();
    const rule = { playTime: { hours: 1, period: 'week' } } as const;
    expect(await who(rule)).toEqual(['ann', 'bob']);
    await setHidden(db, { identity: { dayzId: ids['ann']! } }, true);
    await importLogs(db, { serverId: 'northwood-1', files: temporaryFiles({ 'y.ADM': later }) });
    expect(await who(rule)).toEqual(['bob']);
    elapsed.ms += 30_000;
    expect(await who(rule)).toEqual(['bob', 'cid']);
  });

  it('is nobody by a claim', async () => {
    const { db, who } = await start();
    await db.updateTable('player_link').set({ proven: 0 }).where('member_id', '=', 'ann').execute();
    expect(await who({ linked: true })).toEqual(['bob', 'cid']);
  });

  it('is unknown where nothing is counted: no season, no logs, a suspended project', async () => {
    const seasonal: RoleRule = { playTime: { hours: 1, period: 'season' } };
    const one = await start();
    expect(await one.who(seasonal)).toMatch(/has no season that has begun; add it to seasons/);
    await service.close();
    const two = await start({ seasons: [{ name: 'One', start: '2026-02-20T00:00:00Z' }] });
    expect(await two.who(seasonal)).toEqual(['ann', 'bob']);
    await service.close();
    const three = await start({ servers: northwood().projects[0]!.servers });
    expect(await three.who({ playTime: { hours: 1, period: 'week' } })).toMatch(
      /has logs, from which a week/,
    );
    await service.close();
    const four = await start({ suspended: true });
    expect(await four.who({ linked: true })).toMatch(/suspended/);
  });

  it('is anybody who meets one rule of the role, and unknown where one of them is', async () => {
    const { who } = await start();
    const week: RoleRule = { playTime: { hours: 2, period: 'week' } };
    expect(await who(week, { rank: { first: 1, metric: 'PLAYER_KILLS' } })).toEqual(['ann', 'bob']);
    expect(await who(week, { playTime: { hours: 1, period: 'season' } }, week)).toMatch(/has no season/);
  });
});

describe('what the bot remembers of roles', () => {
  it('is kept by guild, role and member, changed and dropped', async () => {
    const { db } = await start();
    const { roleRecords: records } = createBotRecords(db, db, () => 0);
    const record = { roleId: '1', memberId: '9', state: 'giving', at: 5 } as const;
    const given = { ...record, state: 'given', at: 6 } as const;
    const other = { ...given, memberId: '8' };
    await records.set('g', [record, other]);
    await records.set('g', [given]);
    await records.set('h', [given]);
    expect(await records.of('g')).toEqual([other, given]);
    await records.remove('g', [other]);
    expect(await records.of('g')).toEqual([given]);
    await records.forget('g');
    expect(await records.of('g')).toEqual([]);
    expect(await records.of('h')).toEqual([given]);
  });
});
