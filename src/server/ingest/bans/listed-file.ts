import type { Clock } from '../../../process/clock.ts';
import type { Database } from '../../store/database.ts';
import type { FilePort } from '../files/file-port.ts';
import type { BanFormat } from './formats/index.ts';

/** A ban file of the config, in one of its lists. */
export interface ListedBanFile {
  db: Database;
  clock: Clock;
  listId: string;
  /** Access to the file. */
  files: FilePort;
  file: string;
  /** The server on whose host it is; undefined: this machine. */
  filesOf: string | undefined;
  format: BanFormat;
  /** The file's name in `ban.source`. */
  source: string;
}
