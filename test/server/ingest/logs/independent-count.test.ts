import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { characters, count, join as joinCounts, nine, type Nine } from '../../../independent-count.mjs';
import { adminLog, type ByteSource, LocalZone } from 'dayz-files';
import { countLog } from '../../../../src/server/ingest/logs/reading/count-log.ts';
import { LogWriter } from '../../../../src/server/ingest/logs/writing/log-writer.ts';
import { storeAlone } from '../../../../src/server/ingest/logs/writing/store-together.ts';
import { readForgottenList } from '../../../../src/server/store/repositories/rights/forgotten-list.ts';
import { importPlayersDb } from '../../../../src/server/ingest/players/import-players-db.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { findOwnServer } from '../../../../src/server/store/repositories/projects/servers.ts';
import { readText, sampleLogs, samples, sampleServers, temporaryStore } from '../fixture.ts';
import { importLogs } from '../../../harness/logs.ts';

const zone = 'Europe/Berlin';

const playersDbOf = (server: string): string | null => {
  const path = join(samples, server, 'players.db');
  return existsSync(path) ? path : null;
};

function countServer(server: string): Nine {
  const counted = count(sampleLogs(server).map((path) => ({ name: basename(path), text: readText(path) })));
  const playersDb = playersDbOf(server);
  return nine(counted, playersDb === null ? new Map() : characters(playersDb));
}

async function importCharacters(db: Database, server: string): Promise<void> {
  const file = playersDbOf(server);
  if (file !== null) await importPlayersDb(db, { serverId: server, file });
}

async function storedCounts(db: Database): Promise<Nine> {
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
        ZOMBIE_KILLS: row.zombie_kills,
        ANIMAL_KILLS: row.animal_kills,
      },
    ]),
  );
}

const sorted = (counts: Nine) => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));

describe('an independent count of the samples agrees with the store for every player and metric', () => {
  for (const server of sampleServers) {
    test(server, async () => {
      const db = await temporaryStore([server], zone);
      const report = await importLogs(db, {
        serverId: server,
        files: sampleLogs(server),
        beside: false,
      });
      expect(report.failures).toEqual([]);
      await importCharacters(db, server);
      const counted = countServer(server);
      expect(counted.size).toBeGreaterThan(1);
      expect(sorted(await storedCounts(db))).toEqual(sorted(counted));
    });
  }

  test('all servers in one project, with the identities that lie beside the logs', async () => {
    const db = await temporaryStore(sampleServers, zone);
    for (const server of sampleServers) {
      await importCharacters(db, server);
      await importLogs(db, { serverId: server, files: sampleLogs(server) });
    }
    const joined = joinCounts(sampleServers.map(countServer));
    expect([...joined.values()].filter((one) => (one.ZOMBIE_KILLS ?? 0) > 0).length).toBeGreaterThan(10);
    expect(sorted(await storedCounts(db))).toEqual(sorted(joined));
  });

  test('one file at a time, in shuffled order', async () => {
    const db = await temporaryStore(['server-a'], zone);
    const files = sampleLogs('server-a');
    await importCharacters(db, 'server-a');
    for (let i = 0; i < files.length; i++) {
      const file = files[(i * 37) % files.length] as string;
      await importLogs(db, { serverId: 'server-a', files: [file], beside: false });
    }
    expect(sorted(await storedCounts(db))).toEqual(sorted(countServer('server-a')));
  });

  test.each(sampleServers)(
    '%s, however its bytes are split and whatever the order of its files',
    async (server) => {
      const files = sampleLogs(server);
      const sizes = fc.sample(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5_000 })), {
        numRuns: 1_000,
        seed: 20_240_501,
      });
      const db = await temporaryStore([server], zone);
      const { projectId } = await findOwnServer(db, server);
      const forgotten = await readForgottenList(db);
      const ids = { serverId: server, projectId, timezone: zone };
      const writer = new LogWriter(db, { ...ids, now: Date.now, forgotten, store: storeAlone(db) });
      const read = { zone: new LocalZone(zone), forgotten, now: Date.now };
      for (const path of files.toReversed()) {
        const source = piecesOf(readFileSync(path), sizes);
        const compared = { known: new Map(), others: new Map() };
        const { changes } = await countLog({ path, format: adminLog, changedAt: 0 }, source, compared, read);
        await writer.add({ changes });
      }
      await writer.finish();
      await importCharacters(db, server);
      expect(sorted(await storedCounts(db))).toEqual(sorted(countServer(server)));
    },
  );
});

/** Gives so many bytes at each read, and no more. */
function piecesOf(bytes: Buffer, sizes: readonly number[]): ByteSource {
  let reads = 0;
  return {
    async read(buffer, offset, length, position) {
      const size = Math.min(length, sizes[reads++ % sizes.length] as number);
      return { bytesRead: bytes.copy(buffer, offset, position, position + size) };
    },
  };
}
