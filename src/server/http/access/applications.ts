import { LRUCache } from 'lru-cache';
import { findApplication, type Application } from '../../store/repositories/applications/applications.ts';
import type { ReadDatabase } from '../../store/engine/database.ts';
import { keptMs } from '../answers/answer-cache.ts';
import type { TokenGrant } from './tokens.ts';

/** Finds applications in the store. */
export type Applications = ReturnType<typeof createApplications>;

const mostInMemory = 10_000;

export function createApplications({ db }: Pick<ReadDatabase, 'db'>, monotonic: () => number) {
  const kept = new LRUCache<string, Application>({
    maxSize: mostInMemory,
    sizeCalculation: () => 1,
    ttl: keptMs,
    ttlResolution: 0,
    perf: { now: monotonic },
    ignoreFetchAbort: true,
    fetchMethod: async (id) => (await findApplication(db, id)) ?? undefined,
  });
  return {
    read: async (id: string): Promise<Application | null> => await findApplication(db, id),
    /** The application of a token, as it was at most a second ago. Null: there is none, or it has made the token void. */
    async find({ applicationId, generation }: TokenGrant): Promise<Application | null> {
      let application = kept.get(applicationId);
      // A secret may have been rotated within the last second, and the token registered with the new one.
      if (application === undefined || application.generation < generation) {
        application = await kept.fetch(applicationId, { forceRefresh: application !== undefined });
      }
      return application?.generation === generation ? application : null;
    },
  };
}
