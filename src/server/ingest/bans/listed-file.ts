import type { Clock } from '../../../process/clock.ts';
import type { Database } from '../../store/database.ts';
import type { FilePort } from '../files/file-port.ts';
import type { BanFormat } from './formats/index.ts';

/** A ban file of the config, in one of its lists. */
export interface ListedBanFile {
  db: Database;
  clock: Clock;
  listId: string;
  /** How the file is reached. */
  files: FilePort;
  file: string;
  format: BanFormat;
  /** The file as `ban.source` names it. */
  source: string;
}
