import { sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
import { groupsOf } from '../../engine/each-chunk.ts';
import type { KnownRun, RunCopy } from './run-copies.ts';

/** A copy of a run that another server of the project has. */
interface OthersRun {
  serverId: string;
  bytes: number;
  digest: string;
}

/** Runs with players that are counted for a project's other servers, by header: the longest copies first. */
export type RunsOfOthers = ReadonlyMap<string, readonly OthersRun[]>;

export async function readRunsOfOthers(
  db: Database,
  projectId: string,
  serverId: string,
): Promise<RunsOfOthers> {
  const rows = await db
    .selectFrom('log_run')
    .innerJoin('server', 'server.id', 'log_run.server_id')
    .select(['server_id as serverId', 'header', 'bytes', 'digest'])
    .where('project_id', '=', projectId)
    .where('server_id', '<>', serverId)
    .where('digest', '<>', '')
    .where(hasPlayers('log_run.id'))
    .orderBy('bytes', 'desc')
    .execute();
  return groupsOf(rows, ({ header }) => header);
}

/**
 * The other server that has this run, or its beginning; null: none, or the server has it itself. Servers that start at the same
 * second have the same header, so the content decides.
 * @param known the runs of the server itself
 */
export function serverWithRun(
  others: RunsOfOthers,
  known: ReadonlyMap<string, KnownRun>,
  { header, prefix, ...copy }: RunCopy & { header: string },
): string | null {
  if (known.has(header)) return null;
  const isSame = (run: OthersRun): boolean =>
    [copy, prefix].some((part) => part?.bytes === run.bytes && part.digest === run.digest);
  return others.get(header)?.find(isSame)?.serverId ?? null;
}

/**
 * How many runs a server has that another one of its project had before. Only finished logs are compared when they are read, so
 * the newest log of a copied folder is counted for both.
 */
export async function countSharedRuns(
  db: Reader,
): Promise<{ serverId: string; otherId: string; runs: number }[]> {
  const firstServer = sql<string>`
    first_value(server_id) OVER (PARTITION BY project_id, header, bytes, digest ORDER BY log_run.id)`;
  const copies = db
    .selectFrom('log_run')
    .innerJoin('server', 'server.id', 'log_run.server_id')
    .select(['log_run.id', 'server_id as serverId', firstServer.as('otherId')])
    .where('digest', '<>', '');
  return await db
    .selectFrom(copies.as('copy'))
    .select(({ fn }) => ['serverId', 'otherId', fn.countAll<number>().as('runs')])
    .whereRef('serverId', '<>', 'otherId')
    .where(hasPlayers('copy.id'))
    .groupBy(['serverId', 'otherId'])
    .execute();
}

const hasPlayers = (runId: string) =>
  sql<boolean>`EXISTS (SELECT 1 FROM log_run_player WHERE run_id = ${sql.ref(runId)})`;
