import type { Arrivals, StoredArrival } from '../../../commands/interfaces/watch-list.ts';
import { readServersById } from '../../../commands/reads.ts';
import type { KindOptions } from '../../../config/schema/channel-jobs.ts';
import { arrivalEmbed, newPlayersEmbed } from '../../../embeds/arrival.ts';
import {
  arrivalsPerPage,
  arrivalWithinMs,
  mostNewPlayersSingly,
  mostNewPlayersTogether,
  pingWithinMs,
} from '../../limits.ts';
import type { ChannelJob, JobContext, OnceMessage } from '../job.ts';

/** Alerts of a channel about players who come on some servers. */
type WatchOptions = KindOptions<'alerts'>;

interface WatchState {
  /** Every arrival up to this id is posted or skipped. */
  through: number;
}

/**
 * Alerts about players who come on. Each arrival that is stored after the job was set up is posted once. The event of a message
 * is the id of its last arrival.
 */
export const watch: ChannelJob<WatchOptions, WatchState> = {
  every: 'feedPollMs',
  async next(seen, options, state) {
    const store = seen.project.community.arrivals;
    if (state === undefined) return { state: { through: await store.latest() }, message: null };
    const { from, arrivals, through } =
      seen.inDoubt === null
        ? await readNext(seen, options, store, state.through)
        : await readAgain(options, store, state.through, seen.inDoubt.event);
    const shown = await withKills(options, store, arrivals);
    // None are left where they were forgotten meanwhile.
    const message = shown.length === 0 ? null : await messageOf(seen, options, shown, through);
    return { state: { through }, unsent: { through: from }, message };
  },
};

/** What the next message says: one arrival, or several players who are only new, or none. */
interface NextArrivals {
  /** They are on the page after this id: a message in doubt is found there again. */
  from: number;
  arrivals: readonly StoredArrival[];
  /** Everything up to this id is posted with it, or skipped. */
  through: number;
}

/** What is due after an id. */
async function readNext(
  { report, now }: JobContext,
  options: WatchOptions,
  store: Arrivals,
  after: number,
): Promise<NextArrivals> {
  for (let from = after; ;) {
    const page = await store.after(options.servers, from, arrivalsPerPage);
    if (wasReadTooLate(options, page.arrivals)) {
      report(
        'late',
        'alert about players: who came on more than an hour before the log was read, and has left since, is left out; if Outpost or the log was not away, check the timezone of the server',
      );
    }
    const due = page.arrivals
      .filter((arrival) => ageOf(arrival, now()) <= arrivalWithinMs)
      .flatMap((arrival) => shownIn(options, arrival) ?? []);
    const [first] = due;
    if (first !== undefined) {
      const end = due.findIndex(({ isNew }) => !isNew);
      const fresh = end < 0 ? due : due.slice(0, end);
      const arrivals = fresh.length > mostNewPlayersSingly ? fresh.slice(0, mostNewPlayersTogether) : [first];
      return { from, arrivals, through: arrivals.at(-1)!.id };
    }
    if (page.isLast) return { from, arrivals: [], through: page.through };
    from = page.through;
  }
}

/** What a message in doubt is about, without who was forgotten since. */
async function readAgain(
  options: WatchOptions,
  store: Arrivals,
  from: number,
  through: number,
): Promise<NextArrivals> {
  const page = await store.after(options.servers, from, arrivalsPerPage);
  const arrivals = page.arrivals
    .filter(({ id }) => id <= through)
    .flatMap((arrival) => shownIn(options, arrival) ?? []);
  return { from, arrivals, through };
}

/** A message about one player has the latest kills, if it is for moderators. */
async function withKills(
  options: WatchOptions,
  store: Arrivals,
  arrivals: readonly StoredArrival[],
): Promise<readonly StoredArrival[]> {
  const [first, another] = arrivals;
  if (first === undefined || first.isNew || another !== undefined) return arrivals;
  const whole = await store.get(first.id);
  const shown = whole === null ? null : shownIn(options, whole);
  return shown === null ? [] : [shown];
}

async function messageOf(
  { language, project, now }: JobContext,
  options: WatchOptions,
  arrivals: readonly StoredArrival[],
  event: number,
): Promise<OnceMessage> {
  const servers = await readServersById(project.client);
  const serverOf = (id: string): string => servers.get(id)?.name ?? id;
  const first = arrivals[0]!;
  const embed =
    arrivals.length === 1
      ? arrivalEmbed(language, serverOf(first.serverId), first)
      : newPlayersEmbed(
          language,
          arrivals.map((arrival) => ({ ...arrival, server: serverOf(arrival.serverId) })),
        );
  return {
    id: 'arrivals',
    as: 'once',
    event,
    embed,
    roleId: roleOf(options, first, now()),
    players: [...new Set(arrivals.flatMap(({ players }) => players))],
    forModerators: arrivals.some(({ isNew }) => !isNew),
  };
}

/** An arrival without what the alert is not about; null: nothing is left. */
function shownIn(options: WatchOptions, arrival: StoredArrival): StoredArrival | null {
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

/** Whether arrivals of a page are not posted only because their log was read so late that the players have left. */
const wasReadTooLate = (options: WatchOptions, arrivals: readonly StoredArrival[]): boolean =>
  arrivals.some((one) => ageOf(one, one.storedAt) > arrivalWithinMs && shownIn(options, one) !== null);

/** The role that a message about an arrival, as it is shown, pings now: moderators' rules first. */
function roleOf(options: WatchOptions, arrival: StoredArrival, now: number): string | undefined {
  const { watched, namesakeOf, bans } = arrival;
  if (ageOf(arrival, now) > pingWithinMs) return undefined;
  if (watched !== null || namesakeOf !== null) return options.watched?.roleId;
  return (bans.length > 0 ? options.banned : options.newPlayers)?.roleId;
}
