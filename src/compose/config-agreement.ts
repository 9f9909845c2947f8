import type { Logger } from 'pino';
import type { Config } from '../config/schema.ts';
import type { ReadDatabase } from '../server/store/engine/database.ts';
import { findOtherwiseStored } from '../server/store/repositories/projects/unchanged-projects.ts';

const mostNamed = 5;

/**
 * Warns where the store follows another config than this process: whichever process started or reloaded last has stored
 * its own. Others may be about to reload, so it is told at the second look.
 * @returns looks once
 */
export function watchConfigAgreement(
  db: ReadDatabase['db'],
  config: () => Config,
  log: Logger,
): () => Promise<void> {
  let before = new Set<string>();
  let isTold = false;
  return async () => {
    const { projects, broken = [] } = config();
    // The log has told of these, and what the store has of them is older.
    if (broken.length > 0) return;
    const found = await findOtherwiseStored(db, projects);
    const lasting = found.filter((slug) => before.has(slug));
    before = new Set(found);
    if (lasting.length > 0 && !isTold) {
      const names = lasting.slice(0, mostNamed).join(', ');
      const more = lasting.length > mostNamed ? ` and ${lasting.length - mostNamed} more` : '';
      log.warn(
        `another process has stored a different config of ${names}${more}, by which the service answers. ` +
          'Give all processes the same config, then reload (SIGHUP) or restart them.',
      );
      isTold = true;
    }
    if (found.length === 0 && isTold) {
      log.info('the store follows the config of this process again');
      isTold = false;
    }
  };
}
