import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { count, type Counts, join } from '../../independent-count.mjs';
import { importAdminLogs } from '../../../src/server/ingest/admin-log-import.ts';
import type { Database } from '../../../src/server/store/database.ts';
import { readText, sampleLogs, sampleServers, temporaryStore } from './fixture.ts';

const countServer = (server: string): Counts =>
  count(sampleLogs(server).map((path) => ({ name: basename(path), text: readText(path) })));

async function storedCounts(db: Database): Promise<Counts> {
  const rows = await db
    .selectFrom('player')
    .innerJoin('player_stats', 'player_stats.player_id', 'player.id')
    .selectAll()
    .execute();
  return new Map(
    rows.map((row) => [
      row.dayz_id as string,
      {
        PLAYER_KILLS: row.player_kills ?? 0,
        DEATHS: row.deaths ?? 0,
        SUICIDES: row.suicides ?? 0,
        LONGEST_HIT: row.longest_hit_meters ?? 0,
        LONGEST_KILL: row.longest_kill_meters ?? 0,
        PLAYTIME: row.total_play_seconds ?? 0,
        LONGEST_LIFE: row.longest_life_seconds ?? 0,
      },
    ]),
  );
}

const sorted = (counts: Counts) => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));

describe('an independent count of the samples agrees with the store for every player and metric', () => {
  for (const server of sampleServers) {
    test(server, async () => {
      const db = await temporaryStore([server], 'Europe/Berlin');
      const report = await importAdminLogs(db, {
        serverId: server,
        files: sampleLogs(server),
        beside: false,
      });
      expect(report.failures).toEqual([]);
      const counted = countServer(server);
      expect(counted.size).toBeGreaterThan(1);
      expect(sorted(await storedCounts(db))).toEqual(sorted(counted));
    });
  }

  test('all servers in one project, with the identities that lie beside the logs', async () => {
    const db = await temporaryStore(sampleServers, 'Europe/Berlin');
    for (const server of sampleServers) {
      await importAdminLogs(db, { serverId: server, files: sampleLogs(server) });
    }
    expect(sorted(await storedCounts(db))).toEqual(sorted(join(sampleServers.map(countServer))));
  });

  test('one file at a time, in shuffled order', async () => {
    const db = await temporaryStore(['server-a'], 'Europe/Berlin');
    const files = sampleLogs('server-a');
    for (let i = 0; i < files.length; i++) {
      const file = files[(i * 37) % files.length] as string;
      await importAdminLogs(db, { serverId: 'server-a', files: [file], beside: false });
    }
    expect(sorted(await storedCounts(db))).toEqual(sorted(countServer('server-a')));
  });
});
