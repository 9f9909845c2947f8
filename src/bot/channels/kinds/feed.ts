import type { APIEmbed } from 'discord.js';
import type { DeathCause } from '../../../api/death-causes.ts';
import type { Deaths, FeedDeath } from '../../../commands/interfaces/community.ts';
import { readServersById } from '../../../commands/reads.ts';
import type { KindOptions } from '../../../config/schema/channel-jobs.ts';
import {
  compactEmbed,
  deathEmbed,
  digestEmbed,
  isKill,
  missedEmbed,
  type FeedView,
  type MissedDeaths,
} from '../../../embeds/kill-feed.ts';
import { count } from '../../../process/count.ts';
import { deathSettlesMs, deathsPerPage, mostDeathsSingly, mostDeathsTogether } from '../../limits.ts';
import type { ChannelJob, JobContext, Next, OnceMessage } from '../job.ts';

type FeedOptions = KindOptions<'feed'>;

interface FeedState {
  /** When the feed was set up, epoch milliseconds. */
  since: number;
  /** The id of a death: this one and all before it are posted or left out. */
  through: number;
}

/** What becomes of a death. `later`: neither it nor those after it are due. `missed`: it is too old to post, and only counted. */
type Verdict = 'posted' | 'missed' | 'leftOut' | 'later';
type Judge = (death: FeedDeath) => Verdict;

/** The deaths of the next message: some to post, or some that were missed, or none. */
interface DueDeaths {
  /** Oldest first. */
  posted: readonly FeedDeath[];
  missed: MissedDeaths | null;
  /** As in the state after the message. */
  through: number;
}

/**
 * Posts every death that is stored after the feed was set up once, in the order in which they were stored. Its messages are
 * `deaths`, and `missed`, which says how many were too old to post. The event of a message is the id of its last death.
 *
 * A message in doubt was sent, and Discord has not answered (`JobContext`). It has to come back with the same id and event, so it
 * is made from the deaths up to that event, whatever their age is by now.
 */
export const feed: ChannelJob<FeedOptions, FeedState> = {
  every: 'feedPollMs',
  async next(seen, options, state) {
    const { inDoubt, language, now, project } = seen;
    const store = project.community.deaths;
    if (state === undefined) return { state: { through: await store.latest(), since: now() }, message: null };
    const judge = inDoubt === null ? byAge(options, state.since, now()) : asBefore(options, inDoubt);
    const { posted, missed, through } = await readDue(options, store, state.through, judge);
    // The last deaths of a message in doubt may have been deleted meanwhile.
    const last = inDoubt?.event ?? through;
    if (missed !== null) {
      reportMissed(seen, options);
      const message = { id: 'missed', embed: missedEmbed(language, missed) };
      return nextOf(options, state, last, message);
    }
    if (posted.length === 0) return { state: { ...state, through: last }, message: null };
    const { embed, shown } = await embedOf(seen, options, posted);
    const deaths = posted.slice(0, shown);
    const players = [...new Set(deaths.flatMap((death) => death.players))];
    return nextOf(options, state, inDoubt?.event ?? deaths.at(-1)!.id, { id: 'deaths', embed, players });
  },
};

/** A message, and the state after it. @param last the id of the last death that it is about */
function nextOf(
  { compact }: FeedOptions,
  state: FeedState,
  last: number,
  message: Pick<OnceMessage, 'id' | 'embed' | 'players'>,
): Next<FeedState> {
  const shows = compact ? ({ shows: 'text' } as const) : {};
  return { state: { ...state, through: last }, message: { ...message, as: 'once', event: last, ...shows } };
}

/** The embed for as many deaths as fit: all of them, or the first `shown`. */
async function embedOf(
  seen: JobContext,
  options: FeedOptions,
  posted: readonly FeedDeath[],
): Promise<{ embed: APIEmbed; shown: number }> {
  const { language, inDoubt } = seen;
  const view = await viewOf(seen, options);
  const [first, ...others] = posted as [FeedDeath, ...FeedDeath[]];
  if (options.compact) return compactEmbed(language, view, [first, ...others]);
  // A message about one death ends at that death, so several in a message that is in doubt were a digest.
  const isDigest = inDoubt === null ? posted.length > mostDeathsSingly : others.length > 0;
  if (isDigest) return digestEmbed(language, view, [first, ...others]);
  return { embed: deathEmbed(language, view, first), shown: 1 };
}

/** The servers as messages name them; without names, while the service does not answer. */
async function viewOf({ project: { client } }: JobContext, options: FeedOptions): Promise<FeedView> {
  const servers = await readServersById(client);
  return { servers, withServer: options.servers.length > 1, withPositions: options.positions };
}

/** Warns that deaths were missed. `report` does so once, though with a wrong time zone they are missed again and again. */
function reportMissed({ report }: JobContext, { maxAgeMinutes }: FeedOptions): void {
  const age = count(maxAgeMinutes, 'minute');
  report(
    'missed',
    `kill feed: deaths are not posted but counted, as older than ${age} when known; if the log was not away, check the timezone of the server, or raise maxAgeMinutes`,
  );
}

/** The part of `show` to which a cause belongs; the others belong to `others`. */
const partOfCause: Partial<Record<DeathCause, FeedOptions['show'][number]>> = {
  self: 'suicides',
  suicide: 'suicides',
  animal: 'animals',
  infected: 'infected',
  vehicle: 'vehicles',
  fall: 'falls',
};

/** Whether a feed posts a death. Kills by players are always posted. */
const isShown = ({ show }: FeedOptions, death: FeedDeath): boolean =>
  isKill(death) || show.includes(partOfCause[death.cause] ?? 'others');

/**
 * Judges deaths by their age. They are delayed from the moment when they were stored: the times of a log may be wrong by hours,
 * and its delay must hold all the same.
 * @param since when the feed was set up, epoch milliseconds: it does not count what it missed before
 */
function byAge(options: FeedOptions, since: number, now: number): Judge {
  const delayMs = options.delaySeconds * 1000;
  const longestMs = delayMs + options.maxAgeMinutes * 60_000;
  return (death) => {
    const storedMs = Math.max(0, now - death.storedAt);
    if (storedMs < (isKill(death) ? delayMs : Math.max(delayMs, deathSettlesMs))) return 'later';
    if (!isShown(options, death)) return 'leftOut';
    // A provider may hand over the log so late without anything being wrong.
    const knownAt = death.at + (death.lateByMs ?? 0);
    const isOld = storedMs + Math.max(0, death.storedAt - knownAt) > longestMs;
    if (!isOld) return 'posted';
    return knownAt < since ? 'leftOut' : 'missed';
  };
}

/** Judges the deaths of a message in doubt as that did. */
function asBefore(options: FeedOptions, { id, event }: Pick<OnceMessage, 'id' | 'event'>): Judge {
  return (death) => {
    if (death.id > event) return 'later';
    if (!isShown(options, death)) return 'leftOut';
    return id === 'missed' ? 'missed' : 'posted';
  };
}

/** Reads the deaths of the next message, which come after an id. @throws when the store cannot be read */
async function readDue(
  { servers }: FeedOptions,
  store: Deaths,
  after: number,
  judge: Judge,
): Promise<DueDeaths> {
  const posted: FeedDeath[] = [];
  let missed: MissedDeaths | null = null;
  let through = after;
  for (;;) {
    const page = await store.after(servers, through, deathsPerPage);
    for (const death of page.deaths) {
      const verdict = judge(death);
      // What was missed is a message of its own.
      const isOfNext =
        verdict === 'later' ||
        (verdict === 'missed' && posted.length > 0) ||
        (verdict === 'posted' && (missed !== null || posted.length === mostDeathsTogether));
      if (isOfNext) return { posted, missed, through };
      if (verdict === 'missed') missed = addMissed(missed, death);
      else if (verdict === 'posted') posted.push(death);
      through = death.id;
    }
    through = Math.max(through, page.through);
    if (page.isLast) return { posted, missed, through };
  }
}

function addMissed(missed: MissedDeaths | null, death: FeedDeath): MissedDeaths {
  return {
    count: (missed?.count ?? 0) + 1,
    onlyKills: (missed?.onlyKills ?? true) && isKill(death),
    lastAt: Math.max(missed?.lastAt ?? death.at, death.at),
  };
}
