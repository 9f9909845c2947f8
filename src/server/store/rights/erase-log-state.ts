import { sql } from 'kysely';
import { contains } from '../dialect.ts';
import type { Database } from '../database.ts';
import type { ForgottenList } from './forgotten-list.ts';

/** What is erased from the state of logs. */
export interface ErasedPeople {
  /** The game's ids. */
  gameIds: readonly string[];
  names: readonly string[];
}

/**
 * Replaces people by pseudonyms in the state from which logs are read on: who is on, what is counted of the current
 * runs, open player lists. Lines that were kept as examples, and reports that contain them, are deleted.
 */
export async function eraseLogState(tx: Database, list: ForgottenList, people: ErasedPeople): Promise<void> {
  await eraseRosters(tx, list, people);
  await eraseTallies(tx, list, people);
  await eraseFiles(tx, list, people);
  await eraseReports(tx, people);
}

async function eraseRosters(tx: Database, list: ForgottenList, { gameIds }: ErasedPeople): Promise<void> {
  const rows = await tx
    .selectFrom('roster_player')
    .innerJoin('roster', 'roster.server_id', 'roster_player.server_id')
    .select(['roster.server_id', 'header', 'game_id'])
    .where('game_id', 'in', gameIds)
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
  for (const gameId of gameIds) {
    const { rows } = await sql<{ server_id: string; path: string; checkpoint: string | null }>`
      SELECT server_id, path, checkpoint FROM log_file
      WHERE EXISTS (
        SELECT 1 FROM log_file_player AS one WHERE one.server_id = log_file.server_id AND one.path = log_file.path
        AND (one.game_id = ${gameId} OR ${contains('one.tally', gameId)})
      )
    `.execute(tx);
    for (const { server_id, path, checkpoint } of rows) {
      const pseudonym = list.pseudonymOf(headerOf(checkpoint), gameId);
      await sql`
        UPDATE log_file_player SET tally = replace(tally, ${gameId}, ${pseudonym}),
          game_id = CASE game_id WHEN ${gameId} THEN ${pseudonym} ELSE game_id END
        WHERE server_id = ${server_id} AND path = ${path} AND (game_id = ${gameId} OR ${contains('tally', gameId)})
      `.execute(tx);
    }
  }
}

/** The header of the run that a checkpoint is in. */
const headerOf = (checkpoint: string | null): string =>
  (checkpoint === null ? null : (JSON.parse(checkpoint) as { header?: string | null }).header) ?? '';

async function eraseFiles(tx: Database, list: ForgottenList, people: ErasedPeople): Promise<void> {
  const files = await tx
    .selectFrom('log_file')
    .select(['server_id', 'path', 'checkpoint', 'examples'])
    .where(({ or, eb }) => or([eb('checkpoint', 'is not', null), eb('examples', '<>', '[]')]))
    .execute();
  for (const { server_id, path, checkpoint, examples } of files) {
    const state = checkpoint === null ? null : (JSON.parse(checkpoint) as { header?: string });
    const cleaned = JSON.stringify(withoutPeople(state, list.pseudonyms(state?.header ?? '')));
    const kept = mentions(examples, people) ? '[]' : examples;
    if ((state === null || cleaned === checkpoint) && kept === examples) continue;
    await tx
      .updateTable('log_file')
      .set({ examples: kept, ...(state !== null && { checkpoint: cleaned }) })
      .where('server_id', '=', server_id)
      .where('path', '=', path)
      .execute();
  }
}

async function eraseReports(tx: Database, people: ErasedPeople): Promise<void> {
  const states = await tx
    .selectFrom('source_state')
    .select(['kind', 'owner_id', 'path', 'report', 'error'])
    .execute();
  for (const { kind, owner_id, path, report, error } of states) {
    if (!mentions(report ?? '', people) && !mentions(error ?? '', people)) continue;
    await tx
      .updateTable('source_state')
      .set({ report: null, error: null, error_at: null })
      .where('kind', '=', kind)
      .where('owner_id', '=', owner_id)
      .where('path', '=', path)
      .execute();
  }
}

function mentions(json: string, { gameIds, names }: ErasedPeople): boolean {
  const asJson = (name: string): string => JSON.stringify(name).slice(1, -1);
  return (
    gameIds.some((id) => json.includes(id)) ||
    names.some((name) => name.length > 2 && (json.includes(name) || json.includes(asJson(name))))
  );
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
