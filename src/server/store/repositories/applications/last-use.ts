import { saveLastUse } from './applications.ts';
import type { Database } from '../../engine/database.ts';

/** When applications were last used. Requests only record it in memory; it is written later. */
export interface LastUse {
  note(applicationId: string): void;
  /** Writes what was recorded since the last write. What cannot be written is kept for the next time. */
  write(db: Database): Promise<void>;
}

export function createLastUse(now: () => number = Date.now): LastUse {
  let noted = new Map<string, number>();
  return {
    note: (applicationId) => void noted.set(applicationId, now()),
    async write(db) {
      if (noted.size === 0) return;
      const writing = noted;
      noted = new Map();
      try {
        await saveLastUse(db, writing);
      } catch (error) {
        noted = new Map([...writing, ...noted]);
        throw error;
      }
    },
  };
}
