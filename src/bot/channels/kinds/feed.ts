import type { Deaths, FeedDeath } from '../../../commands/ports/community.ts';
import { deathEmbed, digestEmbed, type FeedView, missedEmbed } from '../../../embeds/kill-feed.ts';
import { count } from '../../../process/count.ts';
import { type ChannelJob, type JobContext, type Next, type Outgoing, readSpan, spanOf } from '../job.ts';
import { addMissed, type FeedOptions, type MissedDeaths, readDue, readSpanOf } from './feed-rules.ts';

interface FeedState {
  /** When the feed was set up, epoch milliseconds. */
  since: number;
  /** Every death up to this id is posted or skipped. */
  through: number;
}

/** More at once are posted as a digest. Discord allows five messages per five seconds and channel. */
const mostSingly = 4;

/** Posts every death that is stored after it was set up once, in the order in which they were stored. */
export const feed: ChannelJob<FeedOptions, FeedState> = {
  kind: 'feed',
  name: 'kill feed',
  keepsMessage: false,
  when: (_, { feedPollMs }) => ({ everyMs: feedPollMs }),
  needsStore: true,
  async next(seen, options, state) {
    const deaths = seen.project.community.deaths;
    const { inDoubt, now } = seen;
    if (state === undefined) return { state: { through: await deaths.latest(), since: now() }, messages: [] };
    if (inDoubt !== null && readSpan(inDoubt.event).last > state.through)
      return await repeat(seen, options, deaths, { state, inDoubt });
    const due = await readDue(options, deaths, { from: state.through, since: state.since, now: now() });
    const [first] = due.fresh;
    if (due.missed !== null) {
      reportMissed(seen, options, due.missed);
      return { state: { ...state, through: due.missed.last }, messages: [missedMessage(seen, due.missed)] };
    }
    if (first === undefined) return { state: { ...state, through: due.through }, messages: [] };
    return await post(seen, options, state, due.fresh.length > mostSingly ? due.fresh : [first]);
  },
};

/** The message in doubt, with the names as they may be shown by now. */
async function repeat(
  seen: JobContext,
  options: FeedOptions,
  deaths: Deaths,
  { state, inDoubt }: { state: FeedState; inDoubt: NonNullable<JobContext['inDoubt']> },
): Promise<Next<FeedState>> {
  const span = readSpan(inDoubt.event);
  const found = await readSpanOf(options, deaths, span);
  const done = { ...state, through: span.last };
  if (found.length === 0) return { state: done, messages: [] };
  if (inDoubt.id !== 'missed') return await post(seen, options, done, found, span);
  const missed = found.reduce(addMissed, null as MissedDeaths | null)!;
  return { state: done, messages: [missedMessage(seen, { ...missed, ...span })] };
}

/** @param span of a message in doubt; left out: it has as many of these deaths as fit */
async function post(
  seen: JobContext,
  options: FeedOptions,
  state: FeedState,
  deaths: readonly FeedDeath[],
  span?: { first: number; last: number },
): Promise<Next<FeedState>> {
  const { language } = seen;
  const view = await viewOf(seen, options);
  const [first, ...others] = deaths as [FeedDeath, ...FeedDeath[]];
  const { embed, shown } =
    others.length === 0
      ? { embed: deathEmbed(language, view, first), shown: 1 }
      : digestEmbed(language, view, [first, ...others]);
  const posted = deaths.slice(0, shown);
  const last = span?.last ?? posted.at(-1)!.id;
  const players = [...new Set(posted.flatMap((death) => death.players))];
  const event = spanOf(span?.first ?? first.id, last);
  const message: Outgoing = { id: 'deaths', as: 'once', event, embed, players };
  return { state: { ...state, through: last }, messages: [message] };
}

function missedMessage({ language }: JobContext, missed: MissedDeaths): Outgoing {
  const { first, last, lastAt } = missed;
  return {
    id: 'missed',
    as: 'once',
    event: spanOf(first, last),
    embed: missedEmbed(language, missed, lastAt),
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

function reportMissed({ warnOnce }: JobContext, { maxAgeMinutes }: FeedOptions, missed: MissedDeaths): void {
  warnOnce(
    'missed',
    `kill feed: ${count(missed.count, 'death')} not posted but counted, as older than ${count(maxAgeMinutes, 'minute')} when known; if the log was not away, check the timezone of the server, or raise maxAgeMinutes`,
  );
}
