import type { FileAccess } from 'game-files';
import type { Database } from '../../../store/engine/database.ts';
import type { RunOutcome } from '../../../store/repositories/logs/run-copies.ts';
import type { Clock } from '../../../../process/clock.ts';
import { type ForgottenList, readForgottenList } from '../../../store/repositories/rights/forgotten-list.ts';
import { LocalZone } from 'dayz-files';
import { LogWriter } from '../writing/log-writer.ts';
import type { StoreLogs } from '../writing/store-together.ts';
import type { ReadProgress } from './log-folder-report.ts';

/** What the followers of one server share. */
export interface FollowContext {
  db: Database;
  writer: LogWriter;
  files: FileAccess;
  serverId: string;
  projectId: string;
  timezone: string;
  zone: LocalZone;
  /** The followers' state agrees with this list. */
  forgotten: ForgottenList;
  /** Whether this poll reads history: no log of the server had been read before, as after a restore. */
  isHistory: boolean;
  now: () => number;
  monotonic: () => number;
  onProgress: (progress: ReadProgress) => void;
  onStored: (path: string, header: string, outcome: RunOutcome) => void;
}

/** What the followers of a server share, with nothing read yet. */
export async function createFollowContext(
  db: Database,
  { projectId, timezone }: { projectId: string; timezone: string },
  options: Pick<FollowContext, 'files' | 'serverId' | 'onProgress' | 'onStored'> & {
    clock: Clock;
    store: StoreLogs;
  },
): Promise<FollowContext> {
  const { serverId, files, store, onProgress, onStored } = options;
  const { now, monotonic } = options.clock;
  const forgotten = await readForgottenList(db);
  const zone = new LocalZone(timezone);
  const shared = { serverId, projectId, timezone, forgotten, now };
  const writer = new LogWriter(db, { ...shared, store });
  return { ...shared, monotonic, db, writer, files, zone, isHistory: false, onProgress, onStored };
}
