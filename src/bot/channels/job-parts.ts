import type { Logger } from 'pino';
import type { Clock } from '../../process/clock.ts';
import type { JobConfig } from './job.ts';
import type { StoredRecord } from './job-record.ts';
import type { NameRemoval } from './name-removal.ts';
import type { Pause } from './pause.ts';
import type { Sender } from './sender.ts';

/** What the messages of a running job work with. */
export interface JobParts extends Clock {
  config: JobConfig;
  /** For log lines. */
  name: string;
  record: StoredRecord;
  pause: Pause;
  sender: Sender;
  removal: NameRemoval;
  heartbeatMs: number;
  log: Logger;
}
