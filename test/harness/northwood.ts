import type { ConfigInput } from '../../src/config/schema.ts';
import { battleyeGuidOf, dayzIdOf } from '../../src/api/identifiers.ts';
import type { Database } from '../../src/server/store/engine/database.ts';
import { savePresence } from '../../src/server/store/repositories/logs/presence.ts';
import { figureColumns } from '../../src/server/store/engine/schema/metric-columns.ts';

/** A config with two projects; what the tests of the service need to be there or not to be there. */
export function northwood(changes: Partial<ConfigInput['projects'][number]> = {}): ConfigInput {
  return {
    http: { supportUrl: 'https://example.org/support/' },
    projects: [
      {
        slug: 'northwood',
        name: 'Northwood',
        support: { title: 'Northwood', accentColor: '#5865F2' },
        servers: [
          {
            id: 'northwood-1',
            name: 'Northwood | Chernarus',
            host: '127.0.0.1',
            port: 2302,
            queryPort: 1,
            timezone: 'Europe/Berlin',
            schedules: [
              {
                kind: 'RESTART',
                title: 'Restart',
                recurrence: 'INTERVAL',
                intervalMinutes: 240,
                timeOfDay: '02:00',
                public: true,
              },
              { kind: 'WIPE', title: 'Secret wipe', recurrence: 'DAILY', timeOfDay: '04:00' },
              {
                kind: 'EVENT',
                title: 'Past',
                recurrence: 'DAILY',
                timeOfDay: '04:00',
                public: true,
                active: false,
              },
            ],
          },
          { id: 'northwood-2', name: 'Northwood | Livonia', host: '127.0.0.1', port: 2402 },
          { id: 'retired', name: 'Retired', host: '127.0.0.1', port: 2502, active: false },
        ],
        banlists: [
          { id: 'northwood-bans', name: 'Northwood bans', public: true, servers: ['northwood-1'] },
          { id: 'old-bans', name: 'Old bans', active: false },
        ],
        ...changes,
      },
      {
        slug: 'southshore',
        name: 'Southshore',
        servers: [{ id: 'southshore-1', name: 'Southshore', host: '127.0.0.1', port: 2602 }],
        banlists: [{ id: 'southshore-bans', name: 'Southshore bans' }],
      },
    ],
  };
}

export const steamIds = {
  ann: '76561198207985320',
  bob: '76561197998690788',
  cid: '76561198017124053',
};

async function projectId(db: Database, slug: string): Promise<string> {
  const { id } = await db
    .selectFrom('project')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores players whose only figure is a kill count, named p0, p1, … Returns their ids in the store. */
export async function storePlayers(db: Database, slug: string, kills: readonly number[]): Promise<number[]> {
  const project = await projectId(db, slug);
  const ids: number[] = [];
  for (const [index, playerKills] of kills.entries()) {
    const { id } = await db
      .insertInto('player')
      .values({ project_id: project, name: `p${index}`, ...nobody })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('player_stats')
      .values({ player_id: id, project_id: project, ...figureColumns({ PLAYER_KILLS: playerKills }) })
      .execute();
    ids.push(id);
  }
  return ids;
}

/** Stores who is on a server by its log, by the game's ids, each since a minute more. */
export async function storeRoster(
  db: Database,
  serverId: string,
  names: Readonly<Record<string, string>>,
  asOf: number,
): Promise<void> {
  const players = Object.entries(names).map(
    ([id, name], index) => [id, { name, connectedAt: asOf - index * 60_000, absentAt: null }] as const,
  );
  const run = { header: '9', follows: null, loggedAt: asOf, isNew: true, isComplete: true, listedAt: null };
  const change = { ended: new Map(), visits: [], left: new Map(), run: { ...run, players } };
  const part = { serverId, change, asOf, pollEveryMs: 1_000, age: 'live' } as const;
  await savePresence(db, [part], { projectId: '', playerOf: () => undefined, now: asOf });
}

/** Stores Ann, known with all her identifiers, two names and most figures. */
export async function storeAnn(db: Database, slug: string): Promise<number> {
  const project = await projectId(db, slug);
  const seen = {
    first_seen_at: Date.parse('2026-01-01T00:00:00Z'),
    last_seen_at: Date.parse('2026-02-01T00:00:00Z'),
  };
  const { id } = await db
    .insertInto('player')
    .values({
      project_id: project,
      steam_id64: steamIds.ann,
      battleye_guid: battleyeGuidOf(steamIds.ann),
      cftools_id: '5f1d7a4e3c2b1a0098765432',
      dayz_id: dayzIdOf(steamIds.ann),
      name: 'Ann',
      ...seen,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const name of ['Ann', 'Annie']) {
    await db
      .insertInto('player_alias')
      .values({ player_id: id, name, ...seen })
      .execute();
  }
  await db
    .insertInto('player_stats')
    .values({
      player_id: id,
      project_id: project,
      ...figureColumns({
        PLAYER_KILLS: 1234,
        DEATHS: 7,
        SUICIDES: 1,
        ZOMBIE_KILLS: 500,
        PLAYTIME: 273_120,
        LONGEST_LIFE: 59,
        LONGEST_HIT: 812.43,
        LONGEST_KILL: 1234.56,
      }),
    })
    .execute();
  return id;
}

export async function storeBan(
  db: Database,
  listId: string,
  ban: Partial<{
    key: string;
    playerId: number;
    startsAt: number;
    expiresAt: number;
    liftedAt: number;
    reason: string;
  }>,
): Promise<void> {
  await db
    .insertInto('ban')
    .values({
      list_id: listId,
      source: 'test',
      source_key: ban.key ?? 'key',
      player_id: ban.playerId ?? null,
      player_name: null,
      category: 'CHEATING',
      reason: ban.reason ?? null,
      starts_at: ban.startsAt ?? null,
      expires_at: ban.expiresAt ?? null,
      first_seen_at: 0,
      lifted_at: ban.liftedAt ?? null,
      state: 'ENFORCED',
    })
    .execute();
}

const nobody = {
  steam_id64: null,
  battleye_guid: null,
  cftools_id: null,
  dayz_id: null,
  first_seen_at: null,
  last_seen_at: null,
};
