import type { FeedDeath } from '../../../commands/interfaces/community.ts';
import {
  compactEmbed,
  deathEmbed,
  digestEmbed,
  type FeedView,
  missedEmbed,
} from '../../../embeds/kill-feed.ts';
import { count } from '../../../process/count.ts';
import { mostDeathsSingly } from '../../limits.ts';
import type { ChannelJob, JobContext, Next } from '../job.ts';
import { asBefore, byAge, type FeedOptions, readDue } from './feed-rules.ts';

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
    const { inDoubt, now } = seen;
    const store = seen.project.community.deaths;
    if (state === undefined) return { state: { through: await store.latest(), since: now() }, message: null };
    const judge =
      inDoubt === null
        ? byAge(options, state.since, now())
        : asBefore(options, inDoubt.id === 'missed', inDoubt.event);
    const { posted, missed, through } = await readDue(options, store, state.through, judge);
    const [first, ...others] = posted;
    // Of a message in doubt, the last deaths may be no longer kept.
    const event = inDoubt?.event ?? through;
    if (missed !== null) {
      reportMissed(seen, options);
      const embed = missedEmbed(seen.language, missed);
      return {
        state: { ...state, through: event },
        message: { id: 'missed', as: 'once', event, embed, ...look(options) },
      };
    }
    if (first === undefined) return { state: { ...state, through: event }, message: null };
    const isDigest = options.compact || inDoubt !== null || posted.length > mostDeathsSingly;
    return await post(seen, options, state, isDigest ? [first, ...others] : [first]);
  },
};

const look = ({ compact }: FeedOptions) => (compact ? ({ shows: 'text' } as const) : {});

/** Posts one death, or as many as fit into a digest. */
async function post(
  seen: JobContext,
  options: FeedOptions,
  state: FeedState,
  [first, ...others]: readonly [FeedDeath, ...FeedDeath[]],
): Promise<Next<FeedState>> {
  const view = await viewOf(seen, options);
  const { language } = seen;
  const { embed, shown } = options.compact
    ? compactEmbed(language, view, [first, ...others])
    : others.length === 0
      ? { embed: deathEmbed(language, view, first), shown: 1 }
      : digestEmbed(language, view, [first, ...others]);
  const deaths = [first, ...others].slice(0, shown);
  const event = seen.inDoubt?.event ?? deaths.at(-1)!.id;
  const players = [...new Set(deaths.flatMap((death) => death.players))];
  return {
    state: { ...state, through: event },
    message: { id: 'deaths', as: 'once', event, embed, players, ...look(options) },
  };
}

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

/** Once: deaths of a log whose time zone is wrong are missed again and again. */
function reportMissed({ report }: JobContext, { maxAgeMinutes }: FeedOptions): void {
  const age = count(maxAgeMinutes, 'minute');
  report(
    'missed',
    `kill feed: deaths are not posted but counted, as older than ${age} when known; if the log was not away, check the timezone of the server, or raise maxAgeMinutes`,
  );
}
