import { saveLastUse } from './applications.ts';
import type { Database } from '../../engine/database.ts';

export type LastUse = ReturnType<typeof createLastUse>;

/** When applications were last used. Requests only record it in memory; it is written later. */
export function createLastUse(now: () => number = Date.now) {
  let noted = new Map<string, number>();
  return {
    note: (applicationId: string): void => void noted.set(applicationId, now()),
    /** Writes what was recorded since the last write. What cannot be written is kept for the next time. */
    async write(db: Database): Promise<void> {
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
