import { assert, asyncProperty, shuffledSubarray } from 'fast-check';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { battleyeGuidOf, dayzIdOf } from '../../../../../src/api/identifiers.ts';
import { addBan } from '../../../../../src/server/ingest/bans/by-hand.ts';
import { importBanFile } from '../../../../../src/server/ingest/bans/import.ts';
import { importPlayersDb } from '../../../../../src/server/ingest/players/import-players-db.ts';
import { importPlayersFile } from '../../../../../src/server/ingest/players/import-players-json.ts';
import { listBanLists, listBans } from '../../../../../src/server/store/repositories/bans/ban-lists.ts';
import { saveBans } from '../../../../../src/server/store/repositories/bans/bans.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { runRow } from '../../../../harness/run-rows.ts';
import { saveRuns } from '../../../../harness/save-runs.ts';
import type { RunPlayerRow } from '../../../../../src/server/store/engine/schema/run-figures.ts';
import {
  type CharacterStats,
  saveCharacters,
} from '../../../../../src/server/store/repositories/players/characters.ts';
import { saveImportedStats } from '../../../../../src/server/store/repositories/players/imported-stats.ts';
import { savePeople } from '../../../../../src/server/store/repositories/players/players.ts';
import {
  readOutdatedMessages,
  saveNamingMessage,
} from '../../../../../src/server/store/repositories/rights/naming-messages.ts';
import { readRights } from '../../../../../src/server/store/repositories/rights/forgotten-list.ts';
import {
  readHiddenPeople,
  setHidden,
} from '../../../../../src/server/store/repositories/rights/hide-player.ts';
import { refreshStatistics } from '../../../../../src/server/store/repositories/players/statistics.ts';
import {
  contents,
  header,
  idA,
  idB,
  run,
  samples,
  statsOf,
  steamA,
  steamB,
  temporaryFiles,
  temporaryStore,
} from '../../../ingest/fixture.ts';
import { importLogs } from '../../../../harness/logs.ts';

const guidA = battleyeGuidOf(steamA);
const cftoolsId = '5f2a3b4c5d6e7f8091a2b3c4';
const now = () => 1_000_000;

const files = () => {
  const json = (...entries: object[]) => JSON.stringify(entries);
  const [first, second, rpt, battleye, dayz, byGuid, byCftools, link] = temporaryFiles({
    'first.ADM': run(
      `12:00:00 | Player "In the log"(id=${idA}) is connected`,
      `12:05:00 | Player "B" (DEAD) (id=${idB} pos=<1, 2, 3>) killed by Player "In the log" (id=${idA} pos=<4, 5, 6>) with SVD from 378.238 meters`,
      `12:10:00 | Player "In the log"(id=${idA}) has been disconnected`,
    ),
    'second.ADM': `${header('2024-05-02 12:00:00')}12:00:00 | Player "Later"(id=${idA}) is connected\n12:01:00 | Player "Later" (id=${idA} pos=<1, 2, 3>) committed suicide\n`,
    'x.RPT': `12:00:00.100 Player "In the RPT"(steamID=${steamA}) is connected\n12:00:01.100 Player "B"(steamID=${steamB}) is connected\n`,
    'bans.txt': `${guidA} 4000000000 cheating\n`,
    'ban.txt': `${idA} // griefing\n`,
    'guid.json': json({ battleyeGuid: guidA, name: 'By GUID', stats: { deaths: 2, animalKills: 4 } }),
    'cftools.json': json({ cftoolsId, name: 'By CFTools', stats: { deaths: 5, longestHitMeters: 900 } }),
    'link.json': json({ steamId64: steamA, cftoolsId }),
  }) as [string, string, string, string, string, string, string, string];
  return { first, second, rpt, battleye, dayz, byGuid, byCftools, link };
};

/** Everything that is ever told of one person, each under the only id that its source knows. */
function arrivals(paths: ReturnType<typeof files>): Record<string, (db: Database) => Promise<unknown>> {
  const logs =
    (...files: string[]) =>
    (db: Database) =>
      importLogs(db, { serverId: 's', files, beside: false, now });
  const bans = (file: string, format: 'battleye' | 'dayz') => (db: Database) =>
    importBanFile(db, { listId: 'bans', file, format, now });
  const players = (file: string) => (db: Database) => importPlayersFile(db, { project: 'p', file });
  return {
    'a log': logs(paths.first),
    'a later log': logs(paths.second),
    'an RPT': logs(paths.rpt),
    'BattlEye bans': bans(paths.battleye, 'battleye'),
    'DayZ bans': bans(paths.dayz, 'dayz'),
    'a ban by hand': (db) =>
      addBan(db, {
        listId: 'bans',
        player: { kind: 'cftoolsId', value: cftoolsId },
        category: 'TOXICITY',
        reason: 'by hand',
        expiresAt: null,
        now: () => 500_000,
      }),
    'players.db': (db) =>
      importPlayersDb(db, { serverId: 'c', file: join(samples, 'server-c', 'players.db'), now }),
    'figures by GUID': players(paths.byGuid),
    'figures by CFTools id': players(paths.byCftools),
    'what joins CFTools id and SteamID64': players(paths.link),
  };
}

async function told(db: Database) {
  const aliasesInOrder = (aliases: readonly { name: string }[]) =>
    aliases.toSorted((a, b) => a.name.localeCompare(b.name));
  const bans = (await listBans(db, 'p', 'bans', 100, now())) ?? [];
  const characters = await db
    .selectFrom('character')
    .innerJoin('player', 'player.id', 'character.player_id')
    .select(['dayz_id', 'total', 'last'])
    .orderBy('dayz_id')
    .execute();
  return {
    ...((await contents(db)) as object),
    bans: bans.map((ban) => ({
      ...ban,
      player: { ...ban.player, aliases: aliasesInOrder(ban.player.aliases) },
    })),
    lists: await listBanLists(db, 'p', now()),
    characters,
  };
}

test('what several sources say of one person joins once, in whatever order it arrives, and again', async () => {
  const steps = arrivals(files());
  let expected: unknown;
  await assert(
    asyncProperty(
      shuffledSubarray(Object.keys(steps), { minLength: Object.keys(steps).length }),
      shuffledSubarray(Object.keys(steps)),
      async (order, again) => {
        const db = await temporaryStore(['s', 'c']);
        await db.updateTable('ban_list').set({ server_ids: '["s"]' }).execute();
        for (const name of order) await steps[name]?.(db);
        const once = await told(db);
        expected ??= once;
        expect(once).toEqual(expected);
        for (const name of again) await steps[name]?.(db);
        expect(await told(db)).toEqual(expected);
        // Spelled out, so that all orders cannot be wrong together.
        expect(await statsOf(db, dayzIdOf(steamA))).toMatchObject({
          player_kills: 1,
          deaths: 8,
          suicides: 1,
          zombie_kills: null,
          animal_kills: 4,
          total_play_seconds: 660,
          longest_life_seconds: 660,
          longest_hit_meters: 900,
          longest_kill_meters: 378.238,
        });
        expect(once.bans).toMatchObject([
          { reason: expect.any(String), permanent: true, startsAt: '1970-01-01T00:08:20.000Z' },
        ]);
        expect(once.bans[0]?.player).toMatchObject({ steamId64: steamA, battleyeGuid: guidA, cftoolsId });
        expect(once.bans[0]?.player.aliases.map(({ name }) => name)).toEqual([
          'By CFTools',
          'By GUID',
          'In the log',
          'In the RPT',
          'Later',
        ]);
        await db.destroy();
      },
    ),
    { numRuns: 20, seed: 7 },
  );
});

test('who turns out to be a hidden player is hidden too, also where the name was shown before', async () => {
  const { first, byGuid, rpt } = files();
  const db = await temporaryStore(['s']);
  await importLogs(db, { serverId: 's', files: [first], beside: false, now });
  await importPlayersFile(db, { project: 'p', file: byGuid });
  await setHidden(db, { identity: { battleyeGuid: guidA } }, true);
  const { revision } = await readRights(db);
  const shown = await db.selectFrom('player').select('id').where('hidden', '=', 0).execute();
  const players = shown.map(({ id }) => id);
  await saveNamingMessage(db, { channelId: '1', messageId: '2', players, forModerators: false });
  expect(await readOutdatedMessages(db, null, 9)).toEqual([]);
  await importLogs(db, { serverId: 's', files: [rpt], beside: false, now });
  expect(await readOutdatedMessages(db, null, 9)).toMatchObject([{ messageId: '2' }]);
  expect((await readHiddenPeople(db)).get('p')?.names).toContain('name in the log');
  expect((await readRights(db)).revision).toBe(revision + 1);
});

const people = Array.from({ length: 12 }, (_, at) => {
  const steamId64 = String(76561198000000000n + BigInt(at));
  return { steamId64, cftoolsId: at.toString(16).padStart(24, 'c') };
});

/** Stores each person as three players, who have names, runs, characters, figures, deaths and bans in common. */
async function storeThrice(tx: Database): Promise<void> {
  const known = people.flatMap(({ steamId64, cftoolsId }) => [
    { dayzId: dayzIdOf(steamId64) },
    { battleyeGuid: battleyeGuidOf(steamId64) },
    { cftoolsId },
  ]);
  const seen = known.map((identity, at) => {
    const span = { firstSeenAt: 1_000 - at, lastSeenAt: at % 4 === 0 ? null : 2_000 + at };
    return { identity, names: [['Same name', span] as const, [`Name ${at % 2}`, span] as const], ...span };
  });
  const saved = await savePeople(
    tx,
    'p',
    seen.map(({ names, ...person }) => ({
      ...person,
      serverId: 's',
      names: names.map(([name, span]) => [name, span]),
    })),
  );
  const ids = saved.ids.flatMap((id) => id ?? []);
  const run = (header: string, at: number) => ({
    serverId: 's',
    header,
    startedAt: at,
    bytes: 1,
    digest: '',
    prefix: null,
    rest: null,
    rows: new Map(
      ids.flatMap((_, index) => (index % 5 === at ? [] : [[`g${index}`, figuresOf(index + at)] as const])),
    ),
    deaths: ids.map((_, index) => ({
      victim: `g${index}`,
      number: 1,
      at: index,
      killer: `g${(index * 7 + 1) % ids.length}`,
      cause: 'player' as const,
      weapon: null,
      bodyPart: null,
      ammo: null,
      meters: null,
      position: null,
      killerPosition: null,
    })),
    hasAllDeaths: true,
    age: 'history' as const,
  });
  await saveRuns(
    tx,
    [run('2024-01-01 00:00:00', 0), run('2024-01-02 00:00:00', 1)],
    { now: 5, keepsPositions: false },
    (gameId) => ids[Number(gameId.slice(1))] as number,
  );
  for (const [now, some] of [ids.filter((_, at) => at % 2 === 0), ids].entries()) {
    const characters = some.map((id, at) => [id, { infected_killed: at + now, playtime: 9 * at }] as const);
    await saveCharacters(tx, 's', characters, { now, origin: 'config' });
  }
  const imported = ids.map((playerId, at) => ({ entry: `e${at}`, playerId, figures: { DEATHS: at } }));
  await saveImportedStats(tx, 'p', imported);
  const ban = {
    player_name: null,
    category: 'CHEATING',
    reason: null,
    starts_at: null,
    state: 'ENFORCED',
  } as const;
  const bans = ids.map((player_id, at) => ({
    ...ban,
    source_key: `k${at}`,
    player_id,
    expires_at: 100 + ((at * 7) % 5),
  }));
  await saveBans(tx, 'bans', 'test', bans, 3);
  await refreshStatistics(tx, ids);
  await tx.updateTable('player').set({ hidden: 1 }).where('battleye_guid', 'like', '%0').execute();
}

const figuresOf = (figure: number): RunPlayerRow =>
  runRow({
    playerKills: figure,
    deaths: 1,
    totalPlaySeconds: 60,
    longestHitMeters: figure % 3 === 0 ? 0 : figure,
    lifeHeadSeconds: figure,
    lifeTailSeconds: 1,
  });

/** By all characters. */
async function infectedKilled(db: Database): Promise<number> {
  const totals = await db.selectFrom('character').select('total').execute();
  return totals.reduce(
    (sum, { total }) => sum + ((JSON.parse(total) as CharacterStats)['infected_killed'] ?? 0),
    0,
  );
}

test('people who are found to be three players each are joined at once as one after the other', async () => {
  const atOnce = [people];
  const inSteps = people.flatMap((person) => [[{ steamId64: person.steamId64 }], [person]]);
  const stores: unknown[] = [];
  for (const steps of [atOnce, inSteps]) {
    const db = await temporaryStore(['s']);
    await db.transaction().execute(storeThrice);
    const before = await infectedKilled(db);
    for (const identities of steps) {
      const named = identities.map((identity) => ({
        identity,
        names: [],
        firstSeenAt: null,
        lastSeenAt: null,
      }));
      await db.transaction().execute(async (tx) => {
        const { ids, merged } = await savePeople(tx, 'p', named);
        expect(merged).toEqual(ids);
        await refreshStatistics(tx, merged);
      });
    }
    const players = await db.selectFrom('player').selectAll().execute();
    expect(players).toHaveLength(people.length);
    expect(await infectedKilled(db)).toBe(before);
    const rest = await Promise.all(
      (['character', 'imported_stats', 'ban'] as const).map(
        async (table) => (await sql`SELECT * FROM ${sql.table(table)} ORDER BY 1, 2, 3`.execute(db)).rows,
      ),
    );
    stores.push([await contents(db), rest]);
  }
  expect(stores[0]).toEqual(stores[1]);
});
