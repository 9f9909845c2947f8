import type { DeathCause } from '../../../api/death-causes.ts';
import type { Deaths, FeedDeath } from '../../../commands/ports/community.ts';
import type { FeedContent, ShownDeaths } from '../../../commands/ports/placements.ts';
import { isKill, type Death } from '../../../embeds/kill-feed.ts';

export type FeedOptions = Omit<FeedContent, 'kind'>;

/** Deaths before the first of `fresh` that are too old to be posted. */
export interface MissedDeaths {
  count: number;
  /** All of them are kills by players. */
  onlyKills: boolean;
  lastAt: number;
  /** Their ids. */
  first: number;
  last: number;
}

export interface DueDeaths {
  missed: MissedDeaths | null;
  fresh: readonly FeedDeath[];
  /** Nothing is left to post up to this id, if nothing is due. */
  through: number;
}

/** The part of `show` to which a cause belongs. */
const shownAs = {
  player: null,
  self: 'suicides',
  suicide: 'suicides',
  animal: 'animals',
  infected: 'infected',
  vehicle: 'vehicles',
  fall: 'falls',
  ai: 'others',
  explosion: 'others',
  trap: 'others',
  fire: 'others',
  drowned: 'others',
  'bled-out': 'others',
  died: 'others',
  other: 'others',
} as const satisfies Record<DeathCause, ShownDeaths | null>;

const pageSize = 200;
/** Enough for every message. */
const mostFresh = 150;
/** A line about a death may be followed by one that names the killer, which the next poll of the log reads. */
const settleMs = 1_500;

/** Whether a feed posts a death. Kills by players are always posted. */
function isShown({ show }: Pick<FeedOptions, 'show'>, death: Pick<Death, 'cause' | 'killer'>): boolean {
  if (isKill(death)) return true;
  const kind = shownAs[death.cause];
  return kind !== null && show.includes(kind);
}

/**
 * Reads the deaths of a feed after an id that are due. Deaths are delayed from the moment when they were stored: the times
 * of a log may be wrong by hours, and its delay must hold all the same.
 * @param since when the feed was set up, epoch milliseconds: it does not count what it missed before
 * @throws when the store cannot be read
 */
export async function readDue(
  options: FeedOptions,
  deaths: Deaths,
  { from, since, now }: { from: number; since: number; now: number },
): Promise<DueDeaths> {
  const delayMs = options.delaySeconds * 1000;
  const longestMs = delayMs + options.maxAgeMinutes * 60_000;
  const fresh: FeedDeath[] = [];
  let missed: MissedDeaths | null = null;
  let through = from;
  for (;;) {
    const page = await deaths.after(options.servers, through, pageSize);
    for (const death of page.deaths) {
      const storedMs = Math.max(0, now - death.storedAt);
      if (storedMs < (isKill(death) ? delayMs : Math.max(delayMs, settleMs)))
        return { missed, fresh, through };
      const knownAt = death.at + (death.lateByMs ?? 0);
      const isOld = storedMs + Math.max(0, death.storedAt - knownAt) > longestMs;
      if (!isShown(options, death) || (isOld && knownAt < since)) {
        through = death.id;
        continue;
      }
      // What comes after them is a message of its own.
      if (isOld ? fresh.length > 0 : missed !== null || fresh.length === mostFresh)
        return { missed, fresh, through };
      if (isOld) missed = addMissed(missed, death);
      else fresh.push(death);
      through = death.id;
    }
    through = Math.max(through, page.through);
    if (page.isLast) return { missed, fresh, through };
  }
}

/** The deaths of a message in doubt, without those that are no longer kept. */
export async function readSpanOf(
  options: FeedOptions,
  deaths: Deaths,
  { first, last }: { first: number; last: number },
): Promise<FeedDeath[]> {
  const found: FeedDeath[] = [];
  for (let from = first - 1; from < last;) {
    const page = await deaths.after(options.servers, from, pageSize);
    found.push(...page.deaths.filter((death) => death.id <= last && isShown(options, death)));
    from = page.isLast ? last : page.through;
  }
  return found;
}

/** Counts a death among those that were missed. */
export function addMissed(missed: MissedDeaths | null, death: Death): MissedDeaths {
  return {
    count: (missed?.count ?? 0) + 1,
    onlyKills: (missed?.onlyKills ?? true) && isKill(death),
    lastAt: Math.max(missed?.lastAt ?? death.at, death.at),
    first: missed?.first ?? death.id,
    last: death.id,
  };
}
