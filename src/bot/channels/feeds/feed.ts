import type { REST } from '@discordjs/rest';
import { Routes } from 'discord.js';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { PostFailure } from '../../../commands/placements.ts';
import type { Deaths } from '../../../commands/ports.ts';
import type { FeedView } from '../../../embeds/kill-feed.ts';
import { fit } from '../../../embeds/limits.ts';
import type { Language } from '../../../locales/language.ts';
import type { Clock } from '../../../process/clock.ts';
import { channelRefusal, isPaused, pauseAfter, stoppedText, type ChannelPause } from '../channel-refusal.ts';
import { loggable } from '../../loggable.ts';
import type { EditBudget } from '../edit-budget.ts';
import type { BotProject } from '../../shown-project.ts';
import { createDeathAges } from './death-ages.ts';
import { contentOf, failureOf, mayRetry, nonceOf, send, verify, type Outgoing } from './delivery.ts';
import { readDue } from './due-deaths.ts';
import type { FeedConfig } from './feed-config.ts';
import { messageOf, nextMessage } from './next-message.ts';

export interface FeedOptions extends Clock {
  rest: REST;
  /** Of all projects; a feed reads those of its guild's project. */
  deaths: Deaths;
  /** Must throw on failure, so that a failure is not read as "absent". */
  keyv: Keyv;
  budget: EditBudget;
  log: Logger;
  /**
   * Where the feed posts. `guildId`: the guild that Discord named when it was asked; null: it was not. `unknown`: the bot
   * does not know the guild, as of an archived thread. `unavailable`: the guild is in an outage, or not received yet.
   */
  placeOf: (feed: FeedConfig, guildId: string | null) => FeedPlace | 'unknown' | 'unavailable';
  /** How long to wait after Discord refused a message in the channel. */
  retryMs: number;
  /** Describes the bot's access to a channel. The text changes when the access does. */
  accessOf: (channelId: string) => string;
  /** Whether the bot may read the channel's earlier messages. */
  mayReadHistory: (channelId: string) => boolean;
  /** The bot's user id; null while it is unknown. */
  ownId: () => string | null;
  signal: AbortSignal;
}

/** What a feed takes from its guild. */
export interface FeedPlace {
  language: Language;
  /** The guild is not a home guild, so nothing is posted. */
  paused: boolean;
  /** The project that the guild shows. */
  project: Pick<BotProject, 'client' | 'ports'>;
}

/** One kill feed. It posts every death once, in the order in which they were stored. */
export interface Feed {
  /** Posts what is due, or waits for a running call. Never rejects. */
  run(): Promise<void>;
  /** Why Discord refuses the feed's messages; null: it does not. */
  failure(): PostFailure | null;
  /** Ends the feed and deletes its state. Never rejects. */
  forget(): Promise<void>;
}

/** What a feed has posted, stored before and after each message. */
interface FeedState {
  /** When the feed was set up, epoch milliseconds; left out: by an earlier version. */
  since?: number | undefined;
  /** Every death up to this id is posted or skipped. */
  through: number;
  /** The message that is being sent. */
  outgoing: Outgoing | null;
}

const firstRetryMs = 1_000;
const longestRetryMs = 10_000;
const minuteMs = 60_000;

/** Creates a feed. It starts with the deaths that are stored after its first `run()`. */
export function createFeed(config: FeedConfig, options: FeedOptions): Feed {
  const { rest, deaths, keyv, budget, now, monotonic, signal } = options;
  const { key, channelId, servers } = config;
  const log = options.log.child({ channelId });
  let state: FeedState | null = null;
  let running: Promise<void> | null = null;
  const ages = createDeathAges({ now, monotonic });
  let pause: ChannelPause | null = null;
  let failing: PostFailure | null = null;
  let retryAt = -Infinity;
  let retryMs = firstRetryMs;
  /** By the monotonic clock: nothing is due before, unless the project has changed since this version. */
  let quiet: { until: number; version: number; of?: Deaths } = { until: -Infinity, version: NaN };
  let posted: { at: number; deaths: number }[] = [];
  let known: FeedView['servers'] = new Map();
  let guildId: string | null = null;
  let missedIsLogged = false;
  let forgotten = false;
  const ended = (): boolean => signal.aborted || forgotten;

  async function save(next: FeedState): Promise<void> {
    // Without an error listener, Keyv may return false instead of throwing.
    const since = next.since ?? state?.since;
    const stored = { ...next, outgoing: next.outgoing && withoutNames(next.outgoing), since };
    if (!(await keyv.set(key, stored))) throw new Error('the state was not written');
    state = { ...next, since };
  }

  async function restore(): Promise<FeedState> {
    const stored = (await keyv.get(key)) as FeedState | undefined;
    const latest = await deaths.latest();
    if (stored === undefined) await save({ through: latest, outgoing: null, since: now() });
    // A store that was replaced by a new one counts from the beginning.
    else if (stored.through > latest) state = { ...stored, through: latest, outgoing: null };
    else state = { ...stored, outgoing: stored.outgoing && completed(stored.outgoing) };
    return state!;
  }

  async function viewOf({ project: { client } }: FeedPlace): Promise<FeedView> {
    const answer = await client.listServers().catch(() => null);
    if (answer !== null) known = new Map(answer.data.servers.map((server) => [server.id, server]));
    return { servers: known, withServer: servers.length > 1, withPositions: config.positions };
  }

  /** Prepares the next message. False: nothing is due. */
  async function prepare(place: FeedPlace, { through, since = -Infinity }: FeedState): Promise<boolean> {
    const { language, project } = place;
    const own = project.ports.deaths;
    if (own === undefined) return false;
    const version = own.version();
    const isSame = own === quiet.of && version === quiet.version;
    const latest = isSame ? undefined : await own.latest();
    ages.poll(latest);
    if (isSame && monotonic() < quiet.until) return false;
    if (latest !== undefined && latest <= through) {
      quiet = { until: Infinity, version, of: own };
      return false;
    }
    ages.forget(through);
    const revision = await deaths.revision();
    const read = await readDue(config, own, { from: through, ages, since });
    posted = posted.filter(({ at }) => monotonic() - at < minuteMs);
    const recently = posted.reduce((sum, each) => sum + each.deaths, 0);
    const due = { ...read, recently };
    const next =
      due.missed === null && due.fresh.length === 0
        ? read.nextDueMs
        : nextMessage(language, await viewOf(place), due);
    if (typeof next === 'number') {
      // What is skipped is not read again; the next message stores it.
      if (read.fresh.length === 0) state = { ...state, through: read.through, outgoing: null };
      quiet = { until: monotonic() + next, version, of: own };
      return false;
    }
    const nonce = nonceOf(key, through, next.through);
    const embed = fit([next.embed])[0]!;
    const message = { embed, contents: [contentOf(embed)], deaths: next.deaths, revision };
    state = { ...state, through, outgoing: { ...message, nonce, through: next.through, unknownSince: null } };
    posted.push({ at: monotonic(), deaths: next.deaths.length });
    if (due.missed !== null && !missedIsLogged) {
      log.warn(
        `kill feed: ${due.missed.count} deaths were older than ${config.maxAgeMinutes} minutes when they became known, so they are only counted; if the log was not away, check the timezone of the server, or raise maxAgeMinutes`,
      );
      missedIsLogged = true;
    }
    return true;
  }

  /** The message as it is composed now; null: what it says is no longer kept. */
  async function recomposed(place: FeedPlace, outgoing: Outgoing): Promise<Outgoing | null> {
    const revision = await deaths.revision();
    // None, if the guild shows another project by now.
    const found = (await place.project.ports.deaths?.byId(outgoing.deaths)) ?? [];
    const composed = messageOf(place.language, await viewOf(place), found);
    if (composed === null) return null;
    const embed = fit([composed])[0]!;
    const contents = [...new Set([...outgoing.contents, contentOf(embed)])];
    // Discord may have the earlier text already, which agrees with the earlier revision.
    return { ...outgoing, embed, contents, revision: Math.min(outgoing.revision, revision) };
  }

  /** Sends the outgoing message, or finds out that it was sent. Rejects when it has to be tried again. */
  async function deliver(
    feedPlace: FeedPlace,
    { through, outgoing }: FeedState & { outgoing: Outgoing },
  ): Promise<void> {
    const done = () => save({ through: outgoing.through, outgoing: null });
    const sentAs = async (messageId: string): Promise<void> => {
      // Before the position is stored: a message that is not remembered could never be edited.
      const message = { feed: key, channelId, messageId, deaths: outgoing.deaths };
      if (outgoing.deaths.length > 0) await deaths.posted(message, outgoing.revision);
      await done();
    };
    if (!mayRetry(outgoing, now())) {
      const mayRead = options.mayReadHistory(channelId);
      const verdict = await verify(rest, channelId, outgoing, { authorId: options.ownId(), mayRead, signal });
      if (verdict === 'unverifiable') {
        log.warn(
          'kill feed: cannot check whether the last message arrived, so it is not sent again; give the bot Read Message History in the channel',
        );
      }
      if (typeof verdict === 'object') return await sentAs(verdict.sentAs);
      // A missing message may be too old by now, so it is composed again.
      return await (verdict === 'absent' ? save({ through, outgoing: null }) : done());
    }
    await budget.turn(channelId, signal, 'message');
    const isOutdated = outgoing.deaths.length > 0 && (await deaths.revision()) !== outgoing.revision;
    const current =
      outgoing.embed === undefined || isOutdated ? await recomposed(feedPlace, outgoing) : outgoing;
    if (current?.embed === undefined) return await done();
    const attempt = { ...current, embed: current.embed, unknownSince: outgoing.unknownSince ?? now() };
    await save({ through, outgoing: attempt });
    let messageId: string;
    try {
      messageId = await send(rest, channelId, attempt, signal);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'unknown') throw error;
      // Discord did not accept this attempt; an earlier one may still have succeeded.
      await save({ through, outgoing: outgoing.unknownSince === null ? null : outgoing });
      if (failure === 'refused' && channelRefusal(error) === null) {
        log.warn({ error: loggable(error) }, 'Discord refused a message of the kill feed; it is left out');
        return await done();
      }
      throw error;
    }
    await sentAs(messageId);
    if (failing !== null) log.info('the kill feed works again');
    failing = null;
    retryMs = firstRetryMs;
  }

  /** Whether there may be more to post. */
  async function step(): Promise<boolean> {
    const current = state ?? (await restore());
    const place = options.placeOf(config, guildId);
    if (place === 'unavailable' || ended()) return false;
    if (place === 'unknown') {
      // Rejects with the reason where the channel is gone or hidden.
      const channel = (await rest.get(Routes.channel(channelId), { signal })) as { guild_id?: string };
      guildId = channel.guild_id ?? '';
      return true;
    }
    if (place.paused) return false;
    if (current.outgoing === null && !(await prepare(place, current))) return false;
    if (ended() || state?.outgoing == null) return false;
    await deliver(place, { ...state, outgoing: state.outgoing });
    return true;
  }

  function report(error: unknown, before: string): void {
    const refusal = channelRefusal(error);
    if (refusal === null || refusal === 'editedTooOften') {
      if (failing === null && refusal === null)
        log.warn({ error: loggable(error) }, 'could not post in the kill feed; the bot keeps trying');
      if (refusal === null) failing ??= 'other';
      retryAt = monotonic() + retryMs;
      retryMs = Math.min(retryMs * 2, longestRetryMs);
      return;
    }
    pause = pauseAfter(refusal, error, { ...options, monotonic: monotonic(), before });
    const text = `kill feed ${stoppedText(refusal, pause)}`;
    if (failing === refusal) log.debug(text);
    else log.error(text);
    failing = refusal;
  }

  async function runOnce(): Promise<void> {
    const before = options.accessOf(channelId);
    try {
      while (!ended() && (await step()));
    } catch (error) {
      if (!ended()) report(error, before);
    }
  }

  return {
    async run() {
      if (ended() || monotonic() < retryAt) return;
      if (isPaused(pause, monotonic(), () => options.accessOf(channelId))) return;
      running ??= runOnce().finally(() => (running = null));
      await running;
    },
    failure: () => failing,
    async forget() {
      forgotten = true;
      await running;
      await keyv.delete(key).catch((error: unknown) => {
        log.warn({ error: loggable(error) }, 'could not delete the state of the kill feed');
        return false;
      });
    },
  };
}

/** What is stored of an outgoing message: names stay in the store of players. */
function withoutNames({ embed, ...outgoing }: Outgoing): Outgoing {
  return outgoing.deaths.length === 0 ? { embed, ...outgoing } : outgoing;
}

/** An outgoing message that an earlier version stored has its text alone. */
function completed(
  outgoing: Pick<Outgoing, 'nonce' | 'through' | 'unknownSince'> & Partial<Outgoing>,
): Outgoing {
  const { embed } = outgoing;
  const contents = embed === undefined ? [] : [contentOf(embed)];
  return { contents, deaths: [], revision: 0, ...outgoing };
}
