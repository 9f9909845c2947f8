import type { Logger } from 'pino';
import { storeProblem } from '../server/store/engine/database.ts';
import { StoreHealth, type StoreState } from '../server/store/engine/store-health.ts';

/** The health of a store, whose changes are logged. @param location path of the store, or its URL */
export function createLoggedHealth(log: Logger, location: string): StoreHealth {
  return new StoreHealth((state, error) => logHealth(log, location, state, error));
}

function logHealth(log: Logger, location: string, state: StoreState, error: unknown): void {
  if (state === 'writable') log.info('the store can be written again');
  else if (state === 'available') log.info('the store answers again');
  else if (state === 'replaced') log.error(replaced(location));
  else log.error(storeProblem(location, error)?.message ?? `the store is ${state}`);
}

const replaced = (file: string): string =>
  `${file} was moved, deleted or replaced. Outpost goes on with the file that it opened, and what it stores there is lost ` +
  'when it ends. Put that file back, or restart Outpost to use the present one ("outpost restore" replaces it safely)';
