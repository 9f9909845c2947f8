import type { Database } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { updateRows } from '../../engine/table-rows.ts';
import type { ForgottenList } from './forgotten-list.ts';

/** Who is erased. */
interface ErasedPeople {
  /** The game's ids. */
  gameIds: readonly string[];
  names: readonly string[];
}

/**
 * Replaces people by pseudonyms in what logs say of now: who is on. Reports that contain them are deleted.
 */
export async function eraseLogState(tx: Database, list: ForgottenList, people: ErasedPeople): Promise<void> {
  await eraseReports(tx, people);
  if (people.gameIds.length === 0) return;
  await eraseRosters(tx, list, people);
}

async function eraseRosters(tx: Database, list: ForgottenList, { gameIds }: ErasedPeople): Promise<void> {
  const rows = await tx
    .selectFrom('roster_player')
    .innerJoin('roster', 'roster.server_id', 'roster_player.server_id')
    .select(['roster.server_id', 'header', 'game_id'])
    .where('game_id', 'in', valuesOf('text', gameIds))
    .execute();
  for (const { server_id, header, game_id } of rows) {
    await tx
      .updateTable('roster_player')
      .set({ game_id: list.pseudonymOf(header, game_id), name: '' })
      .where('server_id', '=', server_id)
      .where('game_id', '=', game_id)
      .execute();
  }
}

async function eraseReports(tx: Database, people: ErasedPeople): Promise<void> {
  const states = await tx
    .selectFrom('source_state')
    .select(['kind', 'owner_id', 'path', 'report', 'error'])
    .execute();
  const erased = states
    .filter(({ report, error }) => mentions(report ?? '', people) || mentions(error ?? '', people))
    .map((state) => ({ ...state, report: null, error: null, error_at: null }));
  await updateRows(tx, { table: 'source_state', key: ['kind', 'owner_id', 'path'] }, erased);
}

function mentions(json: string, { gameIds, names }: ErasedPeople): boolean {
  if (json === '' || json === '[]') return false;
  const asJson = (name: string): string => JSON.stringify(name).slice(1, -1);
  return (
    gameIds.some((id) => json.includes(id)) ||
    names.some((name) => name.length > 2 && (json.includes(name) || json.includes(asJson(name))))
  );
}
