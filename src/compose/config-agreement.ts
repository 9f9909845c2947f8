import type { Logger } from 'pino';
import type { Config } from '../config/schema.ts';
import type { Reader } from '../server/store/engine/database.ts';
import { findOtherwiseStored } from '../server/store/repositories/projects/unchanged-projects.ts';

const mostNamed = 5;

/**
 * Warns when the store has projects as another config defines them: the process that started or reloaded last has stored
 * its own config. Others may be about to reload, so a difference is logged when it is found twice in a row.
 * @returns checks once
 */
export function watchConfigAgreement(db: Reader, config: () => Config, log: Logger): () => Promise<void> {
  let before = new Set<string>();
  let isLogged = false;
  return async () => {
    const { projects, broken = [] } = config();
    // These are logged already, and the store keeps their earlier definitions.
    if (broken.length > 0) return;
    const found = await findOtherwiseStored(db, projects);
    const lasting = found.filter((slug) => before.has(slug));
    before = new Set(found);
    if (lasting.length > 0 && !isLogged) {
      const names = lasting.slice(0, mostNamed).join(', ');
      const more = lasting.length > mostNamed ? ` and ${lasting.length - mostNamed} more` : '';
      log.warn(
        `another process has stored a different config of ${names}${more}, by which the service answers. ` +
          'Give all processes the same config, then reload (SIGHUP) or restart them.',
      );
      isLogged = true;
    }
    if (found.length === 0 && isLogged) {
      log.info('the store follows the config of this process again');
      isLogged = false;
    }
  };
}
