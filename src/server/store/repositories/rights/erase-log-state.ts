import type { Database } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { updateRows } from '../../engine/table-rows.ts';
import type { LogFile } from '../logs/log-files.ts';
import type { ForgottenList } from './forgotten-list.ts';

/** What is erased from the state of logs. */
interface ErasedPeople {
  /** The game's ids. */
  gameIds: readonly string[];
  names: readonly string[];
}

/**
 * Replaces people by pseudonyms in the state from which logs are read on: who is on, what is counted of the current
 * runs, open player lists. Reports that contain them are deleted, and unread lines whose kind is a name join the others.
 */
export async function eraseLogState(tx: Database, list: ForgottenList, people: ErasedPeople): Promise<void> {
  await eraseKinds(tx, list);
  await eraseReports(tx, people);
  if (people.gameIds.length === 0) return;
  await eraseRosters(tx, list, people);
  await eraseTallies(tx, list, people);
  await eraseCheckpoints(tx, list);
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

async function eraseTallies(tx: Database, list: ForgottenList, { gameIds }: ErasedPeople): Promise<void> {
  const erased = new Set(gameIds);
  const files = await tx.selectFrom('log_file_player').select(['server_id', 'path']).distinct().execute();
  for (const { server_id, path } of files) {
    const tallied = tx
      .selectFrom('log_file_player')
      .where('server_id', '=', server_id)
      .where('path', '=', path);
    const header = await headerOf(tx, server_id, path);
    for (const { game_id, tally } of await tallied.select(['game_id', 'tally']).execute()) {
      const pseudonymOr = <T>(value: T | string): T | string =>
        typeof value === 'string' && erased.has(value) ? list.pseudonymOf(header, value) : value;
      const now = {
        game_id: pseudonymOr(game_id),
        tally: JSON.stringify(
          JSON.parse(tally, (key, value: unknown) =>
            key === 'name' && erased.has(game_id) ? '' : pseudonymOr(value),
          ),
        ),
      };
      if (now.game_id === game_id && now.tally === tally) continue;
      await tx
        .updateTable('log_file_player')
        .set(now)
        .where('server_id', '=', server_id)
        .where('path', '=', path)
        .where('game_id', '=', game_id)
        .execute();
    }
  }
}

/** The header of the run that is being read from a file. */
async function headerOf(tx: Database, serverId: string, path: string): Promise<string> {
  const file = await tx
    .selectFrom('log_file')
    .select('checkpoint')
    .where('server_id', '=', serverId)
    .where('path', '=', path)
    .executeTakeFirst();
  const checkpoint = JSON.parse(file?.checkpoint ?? 'null') as { header?: string | null } | null;
  return checkpoint?.header ?? '';
}

async function eraseCheckpoints(tx: Database, list: ForgottenList): Promise<void> {
  const files = await tx
    .selectFrom('log_file')
    .select(['server_id', 'path', 'checkpoint'])
    .where('checkpoint', 'is not', null)
    .execute();
  const cleaned = files.map((file) => {
    const state = JSON.parse(file.checkpoint ?? 'null') as { header?: string } | null;
    const bare = state && JSON.stringify(withoutPeople(state, list.pseudonyms(state.header ?? '')));
    return { ...file, checkpoint: bare };
  });
  const changed = cleaned.filter(({ checkpoint }, i) => checkpoint !== files[i]?.checkpoint);
  await updateRows(tx, { table: 'log_file', key: ['server_id', 'path'] }, changed);
}

async function eraseKinds(tx: Database, list: ForgottenList): Promise<void> {
  const files = await tx.selectFrom('log_file').select(['server_id', 'path', 'unread_kinds']).execute();
  const cleaned = files.map((file) => {
    const lines = new Map<string, number>();
    for (const { kind, lines: count } of JSON.parse(file.unread_kinds) as LogFile['unreadKinds']) {
      const bare = kindWithoutNames(kind, list);
      lines.set(bare, (lines.get(bare) ?? 0) + count);
    }
    const kinds = Array.from(lines, ([kind, count]) => ({ kind, lines: count }));
    return { ...file, unread_kinds: JSON.stringify(kinds) };
  });
  const changed = cleaned.filter(({ unread_kinds }, i) => unread_kinds !== files[i]?.unread_kinds);
  await updateRows(tx, { table: 'log_file', key: ['server_id', 'path'] }, changed);
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

/** The kind of unread lines that have no other. */
export const otherKind = 'other';

/** The kind as which unread lines are counted: a mod may write in brackets its own name, or that of a forgotten player. */
export function kindWithoutNames(kind: string, list: ForgottenList): string {
  return kind.startsWith('[') && list.withoutNames(kind) !== kind ? otherKind : kind;
}

/** Plain data with pseudonyms in place of forgotten players: `{ id, name }` anywhere in it. */
export function withoutPeople<T>(value: T, pseudonymOf: (gameId: string) => string | null): T {
  if (Array.isArray(value)) return value.map((each: unknown) => withoutPeople(each, pseudonymOf)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const { id, name } = value as { id?: unknown; name?: unknown };
  if (typeof id === 'string' && typeof name === 'string') {
    const pseudonym = pseudonymOf(id);
    return pseudonym === null ? value : { ...value, id: pseudonym, name: '' };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withoutPeople(each as unknown, pseudonymOf)]),
  ) as T;
}
