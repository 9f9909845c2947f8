import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { forgetPlayer } from '../../../../../src/server/store/repositories/rights/forget-player.ts';
import { setHidden } from '../../../../../src/server/store/repositories/rights/hide-player.ts';
import { onPostgres } from '../../../../harness/new-store.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

/** More than SQLite takes values in a statement; PostgreSQL gets lists as one value. Several transactions on either. */
const bearers = onPostgres ? 2_300 : 33_000;

test('a name that tens of thousands of players bear can be hidden and forgotten', async () => {
  const db = await temporaryStore(['s'], 'UTC');
  const numbers = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${bearers})`;
  await sql`
    INSERT INTO player (project_id, name, steam_id64, dayz_id)
    ${numbers} SELECT project.id, 'Survivor', CAST(76561198000000000 + i AS TEXT), 'x' || i FROM n, project
  `.execute(db);
  await sql`
    INSERT INTO player_alias (player_id, server_id, name, first_seen_at, last_seen_at)
    SELECT id, 's', name, 0, 0 FROM player
  `.execute(db);
  expect(await setHidden(db, { name: 'survivor' }, true)).toBe(bearers);
  expect(await forgetPlayer(db, { name: 'survivor' })).toEqual({ players: bearers, banned: 0, links: 0 });
  const { rows } = await sql<{ left: number }>`SELECT count(*) AS left FROM player WHERE hidden < 2`.execute(
    db,
  );
  expect(rows).toEqual([{ left: 0 }]);
});
