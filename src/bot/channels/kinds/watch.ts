import type { Arrivals, StoredArrival } from '../../../commands/interfaces/watch-list.ts';
import { arrivalEmbed, newPlayersEmbed } from '../../../embeds/arrival.ts';
import { arrivalsPerPage } from '../../limits.ts';
import type { ChannelJob, JobContext, OnceMessage } from '../job.ts';
import {
  isAbout,
  nextArrivals,
  type NextArrivals,
  wasReadTooLate,
  roleOf,
  shownIn,
  type WatchOptions,
} from './arrival-rules.ts';

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

/** Arrivals on the page after an id: a message in doubt is found there again. */
interface ReadArrivals extends NextArrivals {
  from: number;
}

/** What is due after an id. */
async function readNext(
  seen: JobContext,
  options: WatchOptions,
  store: Arrivals,
  after: number,
): Promise<ReadArrivals> {
  for (let from = after; ;) {
    const page = await store.after(from, arrivalsPerPage);
    if (wasReadTooLate(options, page)) {
      seen.report(
        'late',
        'alert about players: who came on more than an hour before the log was read, and has left since, is left out; if Outpost or the log was not away, check the timezone of the server',
      );
    }
    const next = nextArrivals(options, page, seen.now());
    if (next.arrivals.length > 0 || page.length < arrivalsPerPage)
      return { from, ...next, through: Math.max(from, next.through) };
    from = next.through;
  }
}

/** What a message in doubt is about, without who was forgotten since. */
async function readAgain(
  options: WatchOptions,
  store: Arrivals,
  from: number,
  through: number,
): Promise<ReadArrivals> {
  const page = await store.after(from, arrivalsPerPage);
  const arrivals = page
    .filter((arrival) => arrival.id <= through && isAbout(options, arrival))
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
  const answer = await project.client.listServers().catch(() => null);
  const names = new Map(answer?.data.servers.map((server) => [server.id, server.name]));
  const serverOf = (id: string): string => names.get(id) ?? id;
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
