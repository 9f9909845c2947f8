import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importPlayersDb } from '../../../../../src/server/ingest/players/import-players-db.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { findProfile } from '../../../../../src/server/store/repositories/players/player-profiles.ts';
import { forgetPlayer } from '../../../../../src/server/store/repositories/rights/forget-player.ts';
import { importLogs } from '../../../../harness/logs.ts';
import { sampleServers, samples, temporaryFolder, temporaryStore } from '../../../ingest/fixture.ts';
import { busiestPlayer, namesOfPlayer, othersFigures, tracesOf, wipe } from './rights-world.ts';

/** Every sample log of every server. */
async function importSamples(db: Database): Promise<void> {
  for (const server of sampleServers) {
    const folder = join(samples, server);
    const files = readdirSync(folder).map((name) => join(folder, name));
    await importLogs(db, { serverId: server, files });
  }
}

test('a forgotten player is gone, stays gone, and nobody else changes', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const db = await temporaryStore(sampleServers, 'UTC', folder);
  await importSamples(db);
  const player = await busiestPlayer(db);
  const dayzId = player.dayz_id ?? '';
  const steamId64 = player.steam_id64 ?? '';
  const names = await namesOfPlayer(db, player.id);
  expect(names.length).toBeGreaterThan(0);
  const before = await othersFigures(db, dayzId);
  expect(await tracesOf(db, folder, dayzId)).not.toEqual([]);

  expect(await forgetPlayer(db, { identity: { steamId64 } })).toEqual({ players: 1, banned: 0, links: 0 });
  await wipe(db);

  const gone = async () => {
    for (const text of [dayzId, steamId64, player.battleye_guid ?? '', ...names])
      expect(await tracesOf(db, folder, text), text).toEqual([]);
    expect(await findProfile(db, 'p', { kind: 'steamId64', value: steamId64 })).toBeNull();
    expect(await othersFigures(db, dayzId)).toEqual(before);
  };
  await gone();

  await importSamples(db);
  await wipe(db);
  await gone();
});

test('a forgotten character of players.db stays away, and nobody else changes', async () => {
  const folder = temporaryFolder();
  const db = await temporaryStore(['server-a'], 'UTC', folder);
  const file = join(samples, 'server-a', 'players.db');
  const read = async () => await importPlayersDb(db, { serverId: 'server-a', file });
  const { characters } = await read();
  const { dayz_id } = await db
    .selectFrom('character')
    .innerJoin('player', 'player.id', 'character.player_id')
    .select('dayz_id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const dayzId = dayz_id ?? '';
  const before = await othersFigures(db, dayzId);
  expect(before['character']).toHaveLength(characters - 1);
  await forgetPlayer(db, { identity: { dayzId } });
  expect(await othersFigures(db, dayzId)).toEqual(before);
  expect(await read()).toMatchObject({ changed: 0 });
  expect(await othersFigures(db, dayzId)).toEqual(before);
  await wipe(db);
  expect(await tracesOf(db, folder, dayzId)).toEqual([]);
});
