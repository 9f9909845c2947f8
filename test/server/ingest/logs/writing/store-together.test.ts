import { expect, test } from 'vitest';
import { adminLog, LocalZone } from 'dayz-files';
import { openDirect } from 'game-files';
import { countLog } from '../../../../../src/server/ingest/logs/reading/count-log.ts';
import { LogWriter } from '../../../../../src/server/ingest/logs/writing/log-writer.ts';
import { LogStore, type StoreLogs } from '../../../../../src/server/ingest/logs/writing/store-together.ts';
import {
  ReadAgainError,
  readForgottenList,
} from '../../../../../src/server/store/repositories/rights/forgotten-list.ts';
import { idA, idB, run, statsOf, temporaryFiles, temporaryWriter } from '../../fixture.ts';

const kill = `12:00:01 | Player "B" (DEAD) (id=${idB} pos=<1.0, 2.0, 3.0>) killed by Player "A" (id=${idA} pos=<1.0, 2.0, 3.0>) with M4A1 from 50.5 meters`;

test('after a start of many servers, other writers of the project get their turn after fifty of them', async () => {
  const servers = Array.from({ length: 70 }, (_, i) => `server-${i}`);
  const { db, ...rest } = await temporaryWriter(servers);
  const logStore = new LogStore({ db, ...rest });
  const forgotten = await readForgottenList(db);
  // Those of one transaction are stored at one moment, the latest.
  let now = 0;
  const header = '2024-05-01 12:00:00';
  const copy = { header, rest: null, startedAt: 0, bytes: 1, digest: 'd', prefix: null };
  await Promise.all(
    servers.map(async (serverId) => {
      const counts = { rows: new Map(), deaths: [], hasAllDeaths: true };
      const none = { people: [], rosters: [], gestures: [], files: [] };
      const runs = [{ ...copy, ...counts, serverId, age: 'history' as const }];
      const read = { projectId: 'p', serverId, timezone: 'UTC', forgotten, isBacklog: false };
      await logStore.store(null, { ...read, ...none, runs }, (now += 1));
    }),
  );
  const stored = db.selectFrom('log_run').select(({ fn }) => fn.countAll<number>().as('runs'));
  const together = await stored.groupBy('imported_at').orderBy('imported_at').execute();
  expect(together.map(({ runs }) => runs)).toEqual([1, 50, 19]);
});

test('what waits is stored in one transaction, and each server by itself where one of them was given another zone', async () => {
  const { db, ...rest } = await temporaryWriter(['first', 'a', 'b', 'moved', 'c']);
  const logStore = new LogStore({ db, ...rest });
  const forgotten = await readForgottenList(db);
  const write = async (serverId: string, timezone = 'UTC'): Promise<number> => {
    let players = 0;
    const store: StoreLogs = async (logs, now) => {
      const saved = await logStore.store(null, logs, now);
      players += saved.players.length;
      return saved;
    };
    const writer = new LogWriter(db, { serverId, projectId: 'p', timezone, now: Date.now, forgotten, store });
    const read = { zone: new LocalZone(timezone), forgotten, now: Date.now };
    const source = openDirect(temporaryFiles({ 'a.ADM': run(kill) })[0] as string);
    const log = { path: 'a.ADM', format: adminLog, changedAt: 0 };
    const { changes } = await countLog(log, source, { known: new Map(), others: new Map() }, read);
    source.close();
    await writer.add({ changes });
    await writer.finish();
    return players;
  };
  expect(await Promise.all([write('first'), write('a'), write('b')])).toEqual([2, 2, 2]);
  const moved = expect(write('moved', 'Europe/Berlin')).rejects.toThrow(ReadAgainError);
  expect(await write('c')).toBe(2);
  await moved;
  expect(await statsOf(db, idA)).toMatchObject({ player_kills: 4 });
  const runs = await db.selectFrom('log_run').select('server_id').orderBy('server_id').execute();
  expect(runs.map((each) => each.server_id)).toEqual(['a', 'b', 'c', 'first']);
});
