import type { DeathCause } from '../../../api/death-causes.ts';
import type { Deaths, FeedDeath } from '../../../commands/interfaces/community.ts';
import type { KindOptions } from '../../../config/schema/channel-jobs.ts';
import {
  compactEmbed,
  deathEmbed,
  digestEmbed,
  isKill,
  missedEmbed,
  type Death,
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
  /** Every death up to this id is posted or skipped. */
  through: number;
}

/**
 * Posts every death that is stored after it was set up once, in the order in which they were stored. The event of a message is
 * the id of its last death.
 */
export const feed: ChannelJob<FeedOptions, FeedState> = {
  every: 'feedPollMs',
  async next(seen, options, state) {
    const { inDoubt, language, now } = seen;
    const store = seen.project.community.deaths;
    if (state === undefined) return { state: { through: await store.latest(), since: now() }, message: null };
    // A message in doubt is made again from the same deaths. Its id says whether they were posted or missed.
    const judge =
      inDoubt === null
        ? byAge(options, state.since, now())
        : asBefore(options, inDoubt.id === 'missed', inDoubt.event);
    const { posted, missed, through } = await readDue(options, store, state.through, judge);
    // Made again, a message keeps its event, though its last deaths may have been deleted meanwhile.
    const event = inDoubt?.event ?? through;
    const next = (
      id: string,
      last: number,
      said: Pick<OnceMessage, 'embed' | 'players'>,
    ): Next<FeedState> => ({
      state: { ...state, through: last },
      message: { id, as: 'once', event: last, ...said, ...(options.compact && { shows: 'text' }) },
    });
    if (missed !== null) {
      reportMissed(seen, options);
      return next('missed', event, { embed: missedEmbed(language, missed) });
    }
    const [first, ...others] = posted;
    if (first === undefined) return { state: { ...state, through: event }, message: null };
    // A message about one death ends at that death, so several in a message that is in doubt were a digest.
    const isDigest = inDoubt !== null || posted.length > mostDeathsSingly;
    const view = await viewOf(seen, options);
    const { embed, shown } = options.compact
      ? compactEmbed(language, view, [first, ...others])
      : isDigest && others.length > 0
        ? digestEmbed(language, view, [first, ...others])
        : { embed: deathEmbed(language, view, first), shown: 1 };
    const deaths = posted.slice(0, shown);
    const players = [...new Set(deaths.flatMap((death) => death.players))];
    return next('deaths', inDoubt?.event ?? deaths.at(-1)!.id, { embed, players });
  },
};

/** The servers as messages name them; without names, while the service does not answer. */
async function viewOf({ project: { client } }: JobContext, options: FeedOptions): Promise<FeedView> {
  const answer = await client.listServers().catch(() => null);
  const { servers, positions } = options;
  return {
    servers: new Map((answer?.data.servers ?? []).map((server) => [server.id, server])),
    withServer: servers.length > 1,
    withPositions: positions,
  };
}

/** Warns that deaths were missed. `report` does so once, though with a wrong time zone they are missed again and again. */
function reportMissed({ report }: JobContext, { maxAgeMinutes }: FeedOptions): void {
  const age = count(maxAgeMinutes, 'minute');
  report(
    'missed',
    `kill feed: deaths are not posted but counted, as older than ${age} when known; if the log was not away, check the timezone of the server, or raise maxAgeMinutes`,
  );
}

/** The deaths of the next message: some to post, or some that were missed, or none. */
interface DueDeaths {
  /** Oldest first. */
  posted: readonly FeedDeath[];
  missed: MissedDeaths | null;
  /** No other death up to this id is due, now or later. */
  through: number;
}

/** What becomes of a death: `later` it and those after it are due. */
type Verdict = 'posted' | 'missed' | 'leftOut' | 'later';

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
} as const satisfies Record<DeathCause, FeedOptions['show'][number] | null>;

/** Whether a feed posts a death. Kills by players are always posted. */
function isShown({ show }: Pick<FeedOptions, 'show'>, death: Pick<Death, 'cause' | 'killer'>): boolean {
  if (isKill(death)) return true;
  const kind = shownAs[death.cause];
  return kind !== null && show.includes(kind);
}

/**
 * Judges deaths by their age. They are delayed from the moment when they were stored: the times of a log may be wrong by hours,
 * and its delay must hold all the same.
 * @param since when the feed was set up, epoch milliseconds: it does not count what it missed before
 */
function byAge(options: FeedOptions, since: number, now: number): (death: FeedDeath) => Verdict {
  const delayMs = options.delaySeconds * 1000;
  const longestMs = delayMs + options.maxAgeMinutes * 60_000;
  return (death) => {
    const storedMs = Math.max(0, now - death.storedAt);
    if (storedMs < (isKill(death) ? delayMs : Math.max(delayMs, deathSettlesMs))) return 'later';
    if (!isShown(options, death)) return 'leftOut';
    const knownAt = death.at + (death.lateByMs ?? 0);
    const isOld = storedMs + Math.max(0, death.storedAt - knownAt) > longestMs;
    if (!isOld) return 'posted';
    return knownAt < since ? 'leftOut' : 'missed';
  };
}

/** Judges the deaths of a message in doubt as that did. @param last the id of the last one */
function asBefore(options: FeedOptions, areMissed: boolean, last: number): (death: FeedDeath) => Verdict {
  return (death) => {
    if (death.id > last) return 'later';
    if (!isShown(options, death)) return 'leftOut';
    return areMissed ? 'missed' : 'posted';
  };
}

/** Reads the deaths of the next message, which come after an id. @throws when the store cannot be read */
async function readDue(
  { servers }: FeedOptions,
  store: Deaths,
  after: number,
  judge: (death: FeedDeath) => Verdict,
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
