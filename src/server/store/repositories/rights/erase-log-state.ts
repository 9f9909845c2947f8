import type { Database } from '../../engine/database.ts';
import { jsonOf } from '../../engine/storable.ts';
import { updateRows } from '../../engine/table-rows.ts';
import type { LogFile } from '../logs/log-files.ts';
import { rosterPlayers } from '../logs/rosters.ts';
import type { ForgottenList } from './forgotten-list.ts';

interface ErasedPeople {
  gameIds: readonly string[];
  names: readonly string[];
}

/**
 * Replaces people by pseudonyms in what logs say of now: who is on. Reports that contain them are deleted, and unread lines
 * whose kind is a name join the others.
 */
export async function eraseLogState(tx: Database, list: ForgottenList, people: ErasedPeople): Promise<void> {
  await eraseKinds(tx, list);
  await eraseReports(tx, people);
  await eraseRosters(tx, list, people);
}

async function eraseRosters(tx: Database, list: ForgottenList, { gameIds }: ErasedPeople): Promise<void> {
  const gone = new Set(gameIds);
  const rows = await tx.selectFrom('roster').select(['server_id', 'header', 'people']).execute();
  const erased = rows.flatMap(({ server_id, header, people }) => {
    const on = rosterPlayers({ people });
    if (!on.some(([gameId]) => gone.has(gameId))) return [];
    const left = on.map(([gameId, player]) =>
      gone.has(gameId) ? [list.pseudonymOf(header, gameId), { ...player, name: '' }] : [gameId, player],
    );
    return [{ server_id, people: jsonOf(left) }];
  });
  await updateRows(tx, { table: 'roster', key: ['server_id'] }, erased);
}

async function eraseKinds(tx: Database, list: ForgottenList): Promise<void> {
  const files = await tx.selectFrom('log_file').select(['server_id', 'path', 'unread_kinds']).execute();
  const changed = files.flatMap((file) => {
    const kinds = JSON.parse(file.unread_kinds) as LogFile['unreadKinds'];
    const bare = kinds.map(({ kind, lines }) => ({ kind: kindWithoutNames(kind, list), lines }));
    const unread_kinds = JSON.stringify(bare);
    return unread_kinds === file.unread_kinds ? [] : [{ ...file, unread_kinds }];
  });
  await updateRows(tx, { table: 'log_file', key: ['server_id', 'path'] }, changed);
}

async function eraseReports(tx: Database, people: ErasedPeople): Promise<void> {
  const states = await tx
    .selectFrom('source_state')
    .select(['kind', 'owner_id', 'path', 'report', 'error'])
    .execute();
  const erased = states
    .filter(({ report, error }) => mentions(report ?? '', people) || mentions(error ?? '', people))
    .map((state) => ({ ...state, report: null, error: null }));
  await updateRows(tx, { table: 'source_state', key: ['kind', 'owner_id', 'path'] }, erased);
}

function mentions(json: string, { gameIds, names }: ErasedPeople): boolean {
  const asJson = (name: string): string => JSON.stringify(name).slice(1, -1);
  return (
    gameIds.some((id) => json.includes(id)) ||
    names.some((name) => name.length > 2 && (json.includes(name) || json.includes(asJson(name))))
  );
}

/** The kind of unread lines that have no other. */
export const otherKind = 'other';

/** The kind as which unread lines are counted: a mod may write in brackets its own name, or that of a forgotten player. */
export function kindWithoutNames(kind: string, list: ForgottenList): string {
  return kind.startsWith('[') && list.withoutNames(kind) !== kind ? otherKind : kind;
}
