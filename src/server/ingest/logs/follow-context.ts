import type { Database } from '../../store/database.ts';
import type { RunOutcome } from '../../store/logs/run-copies.ts';
import type { FilePort } from '../files/file-port.ts';
import type { LocalZone } from './local-clock.ts';
import type { LogWriter } from './log-writer.ts';
import type { ReadProgress } from './read-progress.ts';

/** What the followers of one server share. */
export interface FollowContext {
  db: Database;
  writer: LogWriter;
  port: FilePort;
  serverId: string;
  projectId: string;
  timezone: string;
  zone: LocalZone;
  /** Whether this poll reads history: no log of the server had been read before, or none since the store was restored. */
  isHistory: boolean;
  now: () => number;
  monotonic: () => number;
  onProgress: (progress: ReadProgress) => void;
  onStored: (path: string, header: string, outcome: RunOutcome) => void;
}
