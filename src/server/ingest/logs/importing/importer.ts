import type { Database } from '../../../store/engine/database.ts';
import { knownRuns, noRuns, noteRuns, type RunOutcome } from '../../../store/repositories/logs/run-copies.ts';
import { RunsOfOthers } from '../../../store/repositories/logs/runs-of-others.ts';
import { ListChangedError, readForgottenList } from '../../../store/repositories/rights/forgotten-list.ts';
import type { LocalZone, LogFormat, RestRun } from 'dayz-files';
import { LogCounter } from '../reading/log-counter.ts';
import { LogWriter } from '../writing/log-writer.ts';

interface ImporterOptions {
  serverId: string;
  projectId: string;
  timezone: string;
  now?: (() => number) | undefined;
}

/** Opens what stores the runs in files of a server. */
export async function openImporter(db: Database, { now = Date.now, ...options }: ImporterOptions) {
  const { serverId, projectId } = options;
  const known = await knownRuns(db, serverId);
  const others = await RunsOfOthers.read(db, projectId, serverId);
  const forgotten = await readForgottenList(db);
  const writer = new LogWriter(db, { ...options, now, forgotten });
  return {
    known,
    counterOf: (format: LogFormat, zone: LocalZone, rest: RestRun | null) =>
      new LogCounter(format, { zone, forgotten, rest, known, others }),
    /**
     * Stores what was counted in a file.
     * @returns what becomes of its runs: complete after `finish`
     * @throws StoreError when another server of the project has a run of the file
     */
    async add(fileName: string, counter: LogCounter): Promise<Record<RunOutcome, number>> {
      const changes = counter.take(true);
      for (const run of changes.runs) if (!known.has(run.header)) others.refuse(serverId, run);
      noteRuns(known, changes.runs);
      const runs = noRuns();
      writer.add({ fileName, changes, onStored: (_, outcome) => void (runs[outcome] += 1) });
      await writer.storeIfFull();
      return runs;
    },
    /** @returns the number of players in what was stored */
    async finish(): Promise<number> {
      await writer.finish();
      return writer.players;
    },
  };
}

/** Imports again if players were forgotten meanwhile; what was stored before counts once. */
export async function untilListStays<T>(importAll: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await importAll();
    } catch (error) {
      if (!(error instanceof ListChangedError)) throw error;
    }
  }
}
