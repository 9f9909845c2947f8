import { findApplication, findSecretHash, type Application } from '../store/applications/applications.ts';
import type { ReadDatabase } from '../store/database.ts';
import type { DataVersion } from './data-version.ts';

/** Finds applications in the store. */
export interface Applications {
  read(id: string): Promise<Application | null>;
  readSecretHash(id: string): Promise<string | null>;
  /** Like `read`, but from memory if the data are still at this version. */
  find(id: string, version: number): Application | null | Promise<Application | null>;
}

export function createApplications({ db }: ReadDatabase, dataVersion: DataVersion): Applications {
  const cached = new Map<string, Application>();
  let cachedVersion = -1;

  const read: Applications['read'] = async (id) => await findApplication(db, id);
  const readAndCache = async (id: string, version: number): Promise<Application | null> => {
    const application = await read(id);
    if (application !== null && cachedVersion === version && dataVersion.now() === version)
      cached.set(id, application);
    return application;
  };
  return {
    read,
    readSecretHash: async (id) => await findSecretHash(db, id),
    find(id, version) {
      if (version !== cachedVersion) {
        cached.clear();
        cachedVersion = version;
      }
      return cached.get(id) ?? readAndCache(id, version);
    },
  };
}
