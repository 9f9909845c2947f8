import type { Database, Reader } from '../../engine/database.ts';
import { groupsOf } from '../../engine/each-chunk.ts';
import { StoreError } from '../../engine/error.ts';
import { countedTwice } from '../projects/server-identity.ts';
import type { RunCopy } from './run-copies.ts';

/** A copy of a run that another server of the project has. */
interface OthersRun {
  serverId: string;
  bytes: number;
  digest: string;
}

/** Runs with players that are counted for the project's other servers, by header: the longest copies first. */
export class RunsOfOthers {
  readonly #runs: ReadonlyMap<string, readonly OthersRun[]>;

  constructor(runs: ReadonlyMap<string, readonly OthersRun[]>) {
    this.#runs = runs;
  }

  static async read(db: Database, projectId: string, serverId: string): Promise<RunsOfOthers> {
    const rows = await db
      .selectFrom('log_run')
      .innerJoin('server', 'server.id', 'log_run.server_id')
      .select(['server_id as serverId', 'header', 'bytes', 'digest'])
      .where('project_id', '=', projectId)
      .where('server_id', '<>', serverId)
      .where('digest', '<>', '')
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('log_run_player').select('run_id').whereRef('run_id', '=', 'log_run.id')),
      )
      .orderBy('bytes', 'desc')
      .execute();
    return new RunsOfOthers(groupsOf(rows, ({ header }) => header));
  }

  /** Length of the prefix that a run with this header is to be compared by; 0: no other server has one. */
  bytes(header: string): number {
    return this.#runs.get(header)?.[0]?.bytes ?? 0;
  }

  /**
   * The server that has this run, or its beginning; null: none. Servers that start at the same second have the same
   * header, so the content decides.
   */
  serverOf({ header, ...copy }: RunCopy & { header: string }): string | null {
    const other = this.#runs.get(header)?.find((run) => isSame(copy, run) || isSame(copy.prefix, run));
    return other?.serverId ?? null;
  }

  /** @throws StoreError when another server has this run, or its beginning */
  refuse(serverId: string, run: RunCopy & { header: string }): void {
    const other = this.serverOf(run);
    if (other === null) return;
    const { header } = run;
    const { found, next } = countedTwice(other, serverId);
    throw new StoreError(`the run that started on ${header} is ${found}. ${next}`);
  }
}

const isSame = (copy: { bytes: number; digest: string } | null, run: OthersRun): boolean =>
  copy?.bytes === run.bytes && copy.digest === run.digest;

/** Pairs of a project's servers for which the same runs are counted. */
export async function readRunsCountedTwice(
  db: Reader,
  projectId: string,
): Promise<{ id: string; otherId: string; runs: number }[]> {
  return await db
    .selectFrom('server')
    .innerJoin('server as other', (join) =>
      join.onRef('other.project_id', '=', 'server.project_id').onRef('other.id', '>', 'server.id'),
    )
    .innerJoin('log_run', 'log_run.server_id', 'server.id')
    .innerJoin('log_run as copy', (join) =>
      join
        .onRef('copy.server_id', '=', 'other.id')
        .onRef('copy.header', '=', 'log_run.header')
        .onRef('copy.digest', '=', 'log_run.digest'),
    )
    .select(({ fn }) => ['server.id', 'other.id as otherId', fn.countAll<number>().as('runs')])
    .where('server.project_id', '=', projectId)
    .where('log_run.digest', '<>', '')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('log_run_player').select('run_id').whereRef('run_id', '=', 'log_run.id')),
    )
    .groupBy(['server.id', 'other.id'])
    .execute();
}
