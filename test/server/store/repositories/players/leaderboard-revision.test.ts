import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import {
  readLeaderboard,
  readLeaderboardRevision,
} from '../../../../../src/server/store/repositories/players/leaderboards.ts';
import { referenceColumns } from '../../../../../src/server/store/repositories/players/player-profiles.ts';
import { refreshStale } from '../../../../../src/server/store/repositories/players/stale-statistics.ts';
import type { PersonIdentity } from '../../../../../src/server/store/repositories/players/person-identity.ts';
import { savePeople } from '../../../../../src/server/store/repositories/players/players.ts';
import type { PersonSeen } from '../../../../../src/server/store/repositories/players/sightings.ts';
import { saveServerState } from '../../../../harness/server-states.ts';
import { metricCodes } from '../../../../../src/api/metrics.ts';
import { dayzIdOf } from '../../../../../src/api/identifiers.ts';
import { run, steamA, steamB, temporaryFiles, temporaryStore } from '../../../ingest/fixture.ts';
import { importLogs } from '../../../../harness/logs.ts';

const [idA, idB] = [dayzIdOf(steamA), dayzIdOf(steamB)];
const kill = (time: string) =>
  `${time} | Player "B" (DEAD) (id=${idB} pos=<1, 2, 3>) killed by Player "A" (id=${idA} pos=<4, 5, 6>) with SVD from 300.5 meters`;

let db: Database;
beforeEach(async () => {
  db = await temporaryStore();
  await bring(kill('12:00:00'));
});

const bring = (...lines: string[]) =>
  importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': run(...lines) }) });
const see = (...people: PersonSeen[]) => db.transaction().execute((tx) => savePeople(tx, 'p', people));
const shown = () => Promise.all(metricCodes.map((code) => readLeaderboard(db, 'p', code, 25)));
const person = (identity: PersonIdentity, name: string, at: number): PersonSeen => ({
  identity,
  firstSeenAt: at,
  lastSeenAt: at,
  names: [[name, { firstSeenAt: at, lastSeenAt: at }]],
});

const later = Date.UTC(2030, 0, 1);

async function insertStats(): Promise<void> {
  const project_id = 'p';
  const { id } = await db
    .insertInto('player')
    .values({ id: 1_000, project_id, name: 'New' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('player_stats').values({ player_id: id, project_id, player_kills: 1 }).execute();
}

const changes: [string, () => Promise<unknown>][] = [
  ['a kill', () => bring(kill('12:00:00'), kill('13:00:00'))],
  ['another name', () => see(person({ dayzId: idA }, 'Someone', later))],
  ['a SteamID64', () => see(person({ steamId64: steamA }, 'A', later))],
  [
    'two players who turn out to be one',
    async () => {
      await see(person({ cftoolsId: '5f1d7a4e3c2b1a0098765432' }, 'C', later));
      await see(person({ dayzId: idA, cftoolsId: '5f1d7a4e3c2b1a0098765432' }, 'C', later));
    },
  ],
  ['first figures of somebody', () => insertStats()],
  ['other figures', () => db.updateTable('player_stats').set({ player_kills: 9 }).execute()],
  ['figures that are gone', () => db.deleteFrom('player_stats').execute()],
];
test.each(changes)('%s changes what leaderboards show, and their revision', async (_, change) => {
  const before = { revision: await readLeaderboardRevision(db, 'p'), shown: await shown() };
  await change();
  expect(await shown()).not.toEqual(before.shown);
  expect(await readLeaderboardRevision(db, 'p')).not.toBe(before.revision);
});

test.each(referenceColumns.map((column) => column.replace(/^player\.| as .*/g, '')))(
  '%s of a listed player, which leaderboards show, changes the revision',
  async (column) => {
    const before = await readLeaderboardRevision(db, 'p');
    await sql`UPDATE player SET ${sql.ref(column)} = 'x' || id WHERE dayz_id = ${idA}`.execute(db);
    expect(await readLeaderboardRevision(db, 'p')).not.toBe(before);
  },
);

const others: [string, () => Promise<unknown>][] = [
  [
    'the status of a server',
    () =>
      saveServerState(db, 's', { status: 'ONLINE', map: 'x', players: 1, maxPlayers: 2, checkedAt: later }),
  ],
  ['a player without figures', () => see(person({ dayzId: dayzIdOf('76561198017124053') }, 'New', later))],
  ['another visit', () => see(person({ dayzId: idA }, 'A', later))],
  ['nothing that was left undone', () => refreshStale(db)],
];
test.each(others)('%s leaves both as they were', async (_, change) => {
  const before = { revision: await readLeaderboardRevision(db, 'p'), shown: await shown() };
  await change();
  expect({ revision: await readLeaderboardRevision(db, 'p'), shown: await shown() }).toEqual(before);
});
