import type { Logger } from 'pino';
import { agreeWithCopy } from '../server/store/rights/list-copy.ts';
import { forgetLinks } from '../server/store/rights/player-links.ts';
import type { WriteDatabase } from '../server/store/database.ts';

export interface ListParts {
  writer: Pick<WriteDatabase, 'db'>;
  dataFolder: string;
  log: Logger;
}

/** Forgets the players again who came back with an older dump of a store on PostgreSQL. */
export async function stayForgotten({ writer, dataFolder, log }: ListParts): Promise<void> {
  const players = await agreeWithCopy(writer.db, dataFolder);
  if (players === null) return;
  await forgetLinks(writer.db);
  log.warn(
    { players },
    'the store has an older list of forgotten players than the data folder: they were forgotten again',
  );
}
