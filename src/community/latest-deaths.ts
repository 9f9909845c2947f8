import type { ReadDatabase } from '../server/store/engine/database.ts';
import { type DeathsAt, latestDeath, latestDeaths } from '../server/store/repositories/kills/deaths.ts';

/**
 * The ids of the latest deaths, read once for all kill feeds after a change of the store. Each project's deaths are
 * committed in the order of their ids, but those of two projects are not on PostgreSQL.
 */
export function createLatestDeaths({ db, dataVersion }: Pick<ReadDatabase, 'db' | 'dataVersion'>) {
  const ofServer = new Map<string, number>();
  let first: number | undefined;
  let last = 0;
  let settled = 0;
  /** An id that is settled once all transactions before `next` have ended. */
  let unsettled: { id: number; next: number } | undefined;
  let reading: { version: number; done: Promise<void> } | undefined;

  /** To be called with the transactions as they were when everything after `settled` was read. */
  function settle({ running, next }: DeathsAt): void {
    if (unsettled !== undefined && running >= unsettled.next) {
      settled = unsettled.id;
      unsettled = undefined;
    }
    if (running === next) settled = last;
    else unsettled ??= { id: last, next };
  }

  async function read(): Promise<void> {
    if (first === undefined || settled === 0) {
      const { latest, ...at } = await latestDeath(db);
      first = last = Math.max(last, latest);
      settle(at);
      return;
    }
    const rows = await latestDeaths(db, settled);
    for (const { serverId, latest } of rows) {
      ofServer.set(serverId, Math.max(latest, ofServer.get(serverId) ?? 0));
      last = Math.max(last, latest);
    }
    if (rows[0] !== undefined) settle(rows[0]);
  }

  async function refresh(): Promise<void> {
    const version = dataVersion();
    if (reading?.version !== version) {
      const done = read();
      reading = { version, done };
      done.catch(() => (reading = undefined));
    }
    await reading.done;
  }

  return {
    /** The latest death on any server; 0: there is none. */
    async ofAll(): Promise<number> {
      await refresh();
      return last;
    },
    /** No death on these servers has a higher id; at the start this is the latest on any. */
    async of(serverIds: readonly string[]): Promise<number> {
      await refresh();
      return Math.max(first ?? 0, ...serverIds.map((id) => ofServer.get(id) ?? 0));
    },
    /** Whatever is stored later, on any server, has a higher id. */
    async settled(): Promise<number> {
      await refresh();
      return settled;
    },
  };
}
