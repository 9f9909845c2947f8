import { battleyeGuidOf } from '../../../src/api/identifiers.ts';
import { metricCodes, metrics } from '../../../src/api/metrics.ts';
import type { Database } from '../../../src/server/store/engine/database.ts';
import { metricColumns } from '../../../src/server/store/engine/schema/metric-columns.ts';
import { steamIds, storeAnn, storeBan, storePlayers } from '../../harness/northwood.ts';
import type { Facts } from './service.ts';

const dayMs = 86_400_000;

/** Kills of p0, p1, …: two share a rank, thirty stand behind, one has none. */
const kills = [50, 40, 40, 30, ...Array.from({ length: 30 }, () => 1), 0];
export const killRanks: readonly (readonly [rank: number, value: number])[] = [
  [1, 1234],
  [2, 50],
  [3, 40],
  [3, 40],
  [5, 30],
  [6, 1],
  [6, 1],
];
/** Every figure is the kills times this: half an hour to a day, metres up to four digits. */
const perKill = { count: 1, seconds: 1_801, meters: 31.5 };
export const manyBans = 205;

export const facts: Facts = {
  server: 'northwood-1',
  banList: 'northwood-bans',
  liveServer: 'northwood-1',
  serverWithoutQueryPort: 'northwood-2',
  deadServer: 'northwood-3',
  foreignServer: 'southshore-1',
  inactiveServer: 'retired',
  foreignBanList: 'southshore-bans',
  inactiveBanList: 'old-bans',
  steamId64: steamIds.ann,
  battleyeGuid: battleyeGuidOf(steamIds.ann),
  cftoolsId: '5f1d7a4e3c2b1a0098765432',
  unknownPlayer: '76561198000000001',
  foreignPlayer: steamIds.bob,
};

/** Writes players with figures and bans of every state, as they are at `now`. */
export async function fillStore(db: Database, now: number): Promise<void> {
  const ann = await storeAnn(db, 'northwood');
  const ids = await storePlayers(db, 'northwood', kills);
  await db
    .updateTable('player_stats')
    .set((column) =>
      Object.fromEntries(
        metricCodes.map((code) => [
          metricColumns[code],
          column('player_kills', '*', column.lit(perKill[metrics[code].unit])),
        ]),
      ),
    )
    .where('player_id', 'in', ids)
    .execute();
  // Known by the GUID alone, which follows from Cid's SteamID64.
  await db
    .updateTable('player')
    .set({ battleye_guid: battleyeGuidOf(steamIds.cid) })
    .where('id', '=', ids[0] as number)
    .execute();
  const [stranger] = await storePlayers(db, 'southshore', [9_999]);
  await db
    .updateTable('player')
    .set({ steam_id64: steamIds.bob, name: 'Stranger' })
    .where('id', '=', stranger as number)
    .execute();

  await storeBan(db, 'northwood-bans', {
    key: 'newest',
    reason: 'aimbot',
    playerId: ann,
    startsAt: now - dayMs,
    expiresAt: now + 3_650 * dayMs,
  });
  await storeBan(db, 'northwood-bans', { key: 'permanent', reason: 'duping', startsAt: now - 2 * dayMs });
  await storeBan(db, 'northwood-bans', { key: 'undated' });
  await storeBan(db, 'northwood-bans', {
    key: 'expired',
    reason: 'expired',
    startsAt: now - dayMs,
    expiresAt: now - 1,
  });
  await storeBan(db, 'northwood-bans', { key: 'lifted', reason: 'lifted', startsAt: now, liftedAt: now - 1 });
  await storeBan(db, 'southshore-bans', { key: 'foreign', reason: 'foreign' });
  await storeBan(db, 'old-bans', { key: 'old', reason: 'old' });
  for (let index = 0; index < manyBans; index += 1) {
    await storeBan(db, 'many-bans', { key: `ban-${index}`, startsAt: now - index * 60_000 });
  }
}
