import { valuesOf } from '../../engine/dialect.ts';
import { eachChunk, readInChunks } from '../../engine/each-chunk.ts';
import type { Database } from '../../engine/database.ts';
import { type Merge, playersOf, targetsOf } from '../players/merges.ts';
import { joinRunColumns } from '../../engine/schema/run-figures.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { upsert } from '../../engine/table-rows.ts';

/** Moves the rows of players to those whom they turned out to be, joined where a run has rows of both. */
export async function moveRunPlayers(tx: Database, merges: readonly Merge[]): Promise<void> {
  const into = targetsOf(merges);
  const ours = new Map<string, Stored<'log_run_player'>>();
  const theirs: Stored<'log_run_player'>[] = [];
  const all = tx.selectFrom('log_run_player').selectAll();
  const rows = await readInChunks(
    playersOf(merges),
    async (chunk) => await all.where('player_id', 'in', valuesOf('integer', chunk)).execute(),
  );
  for (const row of rows) {
    const player_id = into.get(row.player_id);
    if (player_id === undefined) ours.set(keyOf(row), row);
    else theirs.push({ ...row, player_id });
  }
  if (theirs.length === 0) return;
  const joined = new Map<string, Stored<'log_run_player'>>();
  for (const row of theirs) {
    const key = keyOf(row);
    const other = ours.get(key);
    const both = other === undefined ? row : { ...row, ...joinRunColumns(other, row) };
    ours.set(key, both);
    joined.set(key, both);
  }
  await upsert(tx, { table: 'log_run_player', key: ['run_id', 'player_id'] }, [...joined.values()]);
  await eachChunk([...into.keys()], async (chunk) => {
    await tx.deleteFrom('log_run_player').where('player_id', 'in', valuesOf('integer', chunk)).execute();
  });
}

const keyOf = ({ run_id, player_id }: Stored<'log_run_player'>): string => `${run_id} ${player_id}`;
