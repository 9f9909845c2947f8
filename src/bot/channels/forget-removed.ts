import { loggable } from '../loggable.ts';
import type { DeliveryJobsOptions } from './delivery-job.ts';

/**
 * Deletes the state of jobs that the config no longer has. One that comes back later starts anew, instead of counting what
 * happened in between as missed. Never rejects.
 * @param knownKey has the keys of all that the config had @param name for the log, in the plural
 */
export async function forgetRemoved(
  knownKey: string,
  name: string,
  { keyv, configuredKeys, log }: DeliveryJobsOptions,
): Promise<void> {
  try {
    const before = (await keyv.get<readonly string[]>(knownKey)) ?? [];
    if (before.join() === configuredKeys.join()) return;
    const removed = before.filter((each) => !configuredKeys.includes(each));
    if (removed.length > 0) await keyv.deleteMany(removed);
    await keyv.set(knownKey, configuredKeys);
  } catch (error) {
    log.warn(
      { error: loggable(error) },
      `could not delete the state of ${name} that the config no longer has`,
    );
  }
}
