import type { Database } from '../store/database.ts';
import { findRestartFile, saveRestartFile } from '../store/restart-files.ts';
import { readMessagesFile } from './messages-file.ts';
import type { MessagesXml } from './messages-xml.ts';
import { SettledFile } from './settled-file.ts';
import { type Told, ToldOnce } from './told-once.ts';

/** A server of the config with its schedules. */
export interface ScheduledServer {
  id: string;
  schedules?: readonly { source?: string | undefined; file?: string; active: boolean }[];
}

/** What changed about a messages.xml; a problem is told once. */
export type MessagesOutcome = { kind: 'messages'; id: string; path: string; report?: MessagesXml } & Told;

/** Follows the messages.xml that schedules of the config are taken from. */
export interface MessagesFollower {
  /**
   * Reads the files that changed. To be called every few seconds. Never throws for a file; one that cannot be read
   * keeps the schedule it had.
   */
  look(servers: readonly ScheduledServer[], signal?: AbortSignal): Promise<MessagesOutcome[]>;
}

export function createMessagesFollower(db: Database): MessagesFollower {
  /** By server and file: one that two servers share is looked at for each, and has to stand still for each. */
  const files = new Map<string, SettledFile>();
  const told = new ToldOnce();

  async function read(key: string, path: string): Promise<{ report?: MessagesXml } | null> {
    const settled = files.get(key) ?? new SettledFile(path);
    files.set(key, settled);
    const look = await settled.look(async () => (await findRestartFile(db, path)) === undefined);
    if (look.state !== 'unread') return look.state === 'read' ? {} : null;
    const report = await readMessagesFile(path);
    const stored = await findRestartFile(db, path);
    if (stored?.restartMinutes !== report.restartMinutes) {
      await saveRestartFile(db, path, report.restartMinutes);
    }
    settled.done(look);
    return { report };
  }

  return {
    async look(servers, signal) {
      const outcomes: MessagesOutcome[] = [];
      for (const { id, schedules = [] } of servers) {
        for (const { source, file: path, active } of schedules) {
          if (signal?.aborted === true) return outcomes;
          if (source !== 'messages.xml' || path === undefined || !active) continue;
          const key = `${id} ${path}`;
          const news = await told.attempt(key, () => read(key, path));
          if (news !== null) outcomes.push({ kind: 'messages', id, path, ...news });
        }
      }
      return outcomes;
    },
  };
}
