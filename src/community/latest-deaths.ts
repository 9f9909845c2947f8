import type { ReadDatabase } from '../server/store/engine/database.ts';
import { latestDeathId, latestDeaths } from '../server/store/repositories/kills/deaths.ts';

/** The ids of the latest deaths, read once for all kill feeds after a change of the store. */
export interface LatestDeaths {
  /** The latest death on any server; 0: there is none. */
  ofAll(): Promise<number>;
  /** No death on these servers has a higher id; at the start this is the latest on any. */
  of(serverIds: readonly string[]): Promise<number>;
}

export function createLatestDeaths({
  db,
  dataVersion,
}: Pick<ReadDatabase, 'db' | 'dataVersion'>): LatestDeaths {
  const ofServer = new Map<string, number>();
  let first: number | undefined;
  let last = 0;
  let reading: { version: number; done: Promise<void> } | undefined;

  async function read(): Promise<void> {
    if (first === undefined) {
      first = await latestDeathId(db);
      last = Math.max(last, first);
      return;
    }
    for (const { serverId, latest } of await latestDeaths(db, last)) {
      ofServer.set(serverId, Math.max(latest, ofServer.get(serverId) ?? 0));
      last = Math.max(last, latest);
    }
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
    async ofAll() {
      await refresh();
      return last;
    },
    async of(serverIds) {
      await refresh();
      return Math.max(first ?? 0, ...serverIds.map((id) => ofServer.get(id) ?? 0));
    },
  };
}
