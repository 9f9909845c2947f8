import type { PagedArrival, StoredArrival } from '../../../commands/interfaces/watch-list.ts';
import type { KindOptions } from '../../../config/schema/channel-jobs.ts';
import { arrivalWithinMs, mostNewPlayersSingly, mostNewPlayersTogether, pingWithinMs } from '../../limits.ts';

/** Alerts of a channel about players who come on some servers. */
export type WatchOptions = KindOptions<'alerts'>;

/** What the next message says: one arrival, or several players who are only new, or none. */
export interface NextArrivals {
  arrivals: readonly StoredArrival[];
  /** Everything up to this id is posted with it, or skipped. */
  through: number;
}

/** An arrival without what the alert is not about; null: nothing is left. */
export function shownIn(options: WatchOptions, arrival: StoredArrival): StoredArrival | null {
  const { watched, namesakeOf, nameBefore, bans, isNew, isHidden, isContinued } = arrival;
  // A stay that goes on is posted for a new name only.
  const isWatched =
    options.watched !== undefined && watched !== null && !(isContinued && nameBefore === null);
  const isNamesake = options.watched !== undefined && namesakeOf !== null;
  const isBanned = options.banned !== undefined && bans.length > 0 && !isContinued;
  const isNewHere = options.newPlayers !== undefined && isNew && !isHidden && !isContinued;
  if (!isWatched && !isNamesake && !isBanned && !isNewHere) return null;
  const forModerators = isWatched || isNamesake || isBanned;
  return {
    ...arrival,
    watched: isWatched ? watched : null,
    namesakeOf: isNamesake ? namesakeOf : null,
    nameBefore: isWatched || isNamesake ? nameBefore : null,
    bans: forModerators ? bans : [],
    identifier: forModerators ? arrival.identifier : null,
    kills: forModerators ? arrival.kills : null,
    isNew: isNewHere && !forModerators,
    players: forModerators ? arrival.players : arrival.players.slice(0, 1),
  };
}

/**
 * How late an alert is, in milliseconds. While a player is on, only the time since the log was read counts. Once the player
 * has left, an arrival that was read long after it happened is old, as when Outpost was off.
 */
const ageOf = ({ at, lateByMs, storedAt, isOver }: StoredArrival, now: number): number =>
  now - (isOver ? Math.min(storedAt, at + lateByMs) : storedAt);

/** Whether an arrival is on a server of the job. */
export const isAbout = ({ servers }: WatchOptions, { isShown, serverId }: PagedArrival): boolean =>
  isShown && servers.includes(serverId);

/** Whether arrivals of a page are not posted only because their log was read so late that the players have left. */
export const wasReadTooLate = (options: WatchOptions, page: readonly PagedArrival[]): boolean =>
  page.some(
    (one) =>
      isAbout(options, one) && ageOf(one, one.storedAt) > arrivalWithinMs && shownIn(options, one) !== null,
  );

/** The role that a message about an arrival, as it is shown, pings now: moderators' rules first. */
export function roleOf(options: WatchOptions, arrival: StoredArrival, now: number): string | undefined {
  const { watched, namesakeOf, bans } = arrival;
  if (ageOf(arrival, now) > pingWithinMs) return undefined;
  if (watched !== null || namesakeOf !== null) return options.watched?.roleId;
  return (bans.length > 0 ? options.banned : options.newPlayers)?.roleId;
}

/** What the alert posts next of a page of arrivals; none: everything up to the end of the page is skipped. */
export function nextArrivals(
  options: WatchOptions,
  page: readonly PagedArrival[],
  now: number,
): NextArrivals {
  const due = page
    .filter((arrival) => isAbout(options, arrival) && ageOf(arrival, now) <= arrivalWithinMs)
    .flatMap((arrival) => shownIn(options, arrival) ?? []);
  const [first] = due;
  if (first === undefined) return { arrivals: [], through: page.at(-1)?.id ?? 0 };
  const end = due.findIndex(({ isNew }) => !isNew);
  const fresh = end < 0 ? due : due.slice(0, end);
  const arrivals = fresh.length > mostNewPlayersSingly ? fresh.slice(0, mostNewPlayersTogether) : [first];
  return { arrivals, through: arrivals.at(-1)!.id };
}
