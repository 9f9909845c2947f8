import type { Deaths } from '../../../commands/ports/ports.ts';
import { isKill, type Death } from '../../../embeds/kill-feed.ts';
import type { DeathAges } from './death-ages.ts';
import { isShown, type FeedConfig } from './feed-config.ts';
import { addMissed, type DueDeaths } from './next-message.ts';

interface DueRead extends Omit<DueDeaths, 'recently'> {
  /** Nothing is left to post up to this id, if nothing is due. */
  through: number;
  /** Milliseconds until the next death is due; Infinity: there is none yet. */
  nextDueMs: number;
}

const pageSize = 200;
/** Enough for every message. */
const mostFresh = 150;

/** A line about a death may be followed by one that names the killer, which the next poll of the log reads. */
const settleMs = 1_500;

interface DueOptions {
  /** The id after which to read. */
  from: number;
  ages: Pick<DeathAges, 'of'>;
  /** When the feed was set up, epoch milliseconds: it does not count what it missed before. */
  since: number;
}

/**
 * Reads the deaths of a feed after an id that are due. Deaths are delayed from the moment when they were stored: the times
 * of a log may be wrong by hours, and its delay must hold all the same.
 * @throws when the store cannot be read
 */
export async function readDue(
  config: Pick<FeedConfig, 'servers' | 'show' | 'delaySeconds' | 'maxAgeMinutes'>,
  deaths: Deaths,
  { from, ages, since }: DueOptions,
): Promise<DueRead> {
  const delayMs = config.delaySeconds * 1000;
  const longestMs = delayMs + config.maxAgeMinutes * 60_000;
  const fresh: Death[] = [];
  let missed: DueDeaths['missed'] = null;
  let through = from;
  const read = (nextDueMs: number): DueRead => {
    const waitedMs = fresh[0] === undefined ? 0 : ages.of(fresh[0]) - delayMs;
    return { missed, fresh, waitedMs, through, nextDueMs };
  };
  for (;;) {
    const page = await deaths.after(config.servers, through, pageSize);
    for (const death of page.deaths) {
      const storedMs = ages.of(death);
      const dueInMs = (isKill(death) ? delayMs : Math.max(delayMs, settleMs)) - storedMs;
      if (dueInMs > 0) return read(dueInMs);
      const knownAt = death.at + (death.lateByMs ?? 0);
      const isOld = storedMs + Math.max(0, death.storedAt - knownAt) > longestMs;
      if (!isShown(config, death) || (isOld && knownAt < since)) {
        through = death.id;
        continue;
      }
      // What comes after them is a message of its own.
      if (isOld ? fresh.length > 0 : missed !== null || fresh.length === mostFresh) return read(0);
      if (isOld) missed = addMissed(missed, death);
      else fresh.push(death);
      through = death.id;
    }
    through = Math.max(through, page.through);
    if (page.isLast) return read(Infinity);
  }
}
