import { findApplication, type Application } from '../../store/repositories/applications/applications.ts';
import type { ReadDatabase } from '../../store/engine/database.ts';
import { createBoundedCache } from '../../../process/bounded-cache.ts';
import type { DataVersion } from '../answers/data-version.ts';

/** Finds applications in the store. */
export type Applications = ReturnType<typeof createApplications>;

interface CachedApplication {
  application: Application;
  /** The version of its project's data. */
  version: number;
}

const mostInMemory = 10_000;

export function createApplications({ db }: Pick<ReadDatabase, 'db'>, dataVersion: DataVersion) {
  const cached = createBoundedCache<CachedApplication>(mostInMemory);

  const read = async (id: string): Promise<Application | null> => await findApplication(db, id);
  const readAndCache = async (id: string): Promise<Application | null> => {
    // Its project is not known yet.
    const before = dataVersion.now();
    const application = await read(id);
    if (application === null) cached.delete(id);
    else if (dataVersion.now() === before) {
      cached.set(id, { application, version: dataVersion.now(application.project.id) });
    }
    return application;
  };
  return {
    read,
    /** Like `read`, but from memory while the data of its project are unchanged. */
    find(id: string): Application | null | Promise<Application | null> {
      const found = cached.get(id);
      return found?.version === dataVersion.ofTurn(found?.application.project.id)
        ? found.application
        : readAndCache(id);
    },
  };
}
