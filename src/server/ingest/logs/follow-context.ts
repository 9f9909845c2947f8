import type { Database } from '../../store/database.ts';
import type { RunOutcome } from '../../store/run-copies.ts';
import type { FilePort } from '../files/file-port.ts';
import type { LocalZone } from './local-clock.ts';
import type { LogWriter } from './log-writer.ts';
import type { ReadProgress } from './read-progress.ts';

/** With what the files of one server are followed. */
export interface FollowContext {
  db: Database;
  writer: LogWriter;
  port: FilePort;
  serverId: string;
  projectId: string;
  timezone: string;
  zone: LocalZone;
  monotonic: () => number;
  onProgress: (progress: ReadProgress) => void;
  onStored: (path: string, header: string, outcome: RunOutcome) => void;
}
