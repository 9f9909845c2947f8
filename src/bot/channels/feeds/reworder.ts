import type { REST } from '@discordjs/rest';
import { Routes } from 'discord.js';
import type { Logger } from 'pino';
import { ServiceError } from '../../../api/client-types.ts';
import type { Server } from '../../../api/resources.ts';
import type { Deaths, PostedDeaths } from '../../../commands/ports.ts';
import { fit } from '../../../embeds/limits.ts';
import { defaultLocale, languageOf } from '../../../locales/language.ts';
import type { Clock } from '../../../process/clock.ts';
import { noMentions } from '../../answers/acknowledgement.ts';
import type { ChannelGuilds } from '../channel-guilds.ts';
import { loggable } from '../../loggable.ts';
import type { EditBudget } from '../edit-budget.ts';
import { attempt, failureOf } from './delivery.ts';
import type { FeedConfig } from './feed-config.ts';
import type { FeedPlace } from './feed.ts';
import { messageOf } from './next-message.ts';

export interface ReworderOptions extends Pick<Clock, 'monotonic'> {
  /** Of all projects: what was posted is edited, whichever project the guild shows now. */
  deaths: Deaths;
  rest: REST;
  budget: EditBudget;
  log: Logger;
  placeOf: (feed: FeedConfig, guildId: string | null) => FeedPlace | 'unknown' | 'unavailable';
  channelGuilds: Pick<ChannelGuilds, 'ask'>;
  /** Whether this process is connected as the guild's shard. */
  serves: (guildId: string) => boolean;
  /** The feed that posted a message; undefined: it was removed. */
  feedOf: (key: string) => FeedConfig | undefined;
  signal: AbortSignal;
}

/** Between two attempts to edit what could not be edited, or is another process's. */
const tryAgainMs = 10_000;

/** Edits messages of kill feeds whose players were hidden, shown or forgotten since they were posted. */
export interface Reworder {
  /** Edits what is outdated, or waits for a running call. Never rejects. */
  run(): Promise<void>;
}

export function createReworder(options: ReworderOptions): Reworder {
  const { deaths, rest, budget, log, signal, monotonic } = options;
  let running: Promise<void> | null = null;
  /** The store's version at which nothing was outdated. */
  let done = NaN;
  /** The store's version at which everything left was tried, and when it is tried again, by the monotonic clock. */
  let tried = { version: NaN, againAt: 0 };
  let isFailing = false;

  /** Null: another process edits messages there. */
  async function placeOf(config: FeedConfig): Promise<FeedPlace | 'unknown' | null> {
    const place = options.placeOf(config, null);
    if (place !== 'unavailable') return place;
    // Nobody may know the channel: it is deleted, or an archived thread.
    const guildId = await options.channelGuilds.ask(config.channelId, signal);
    if (guildId !== null && !options.serves(guildId)) return null;
    const asked = guildId === null ? 'unknown' : options.placeOf(config, guildId);
    // The guild shows no project any more.
    return asked === 'unavailable' ? 'unknown' : asked;
  }

  /** @returns false: another process edits it */
  async function edit({ feed, channelId, messageId, deaths: ids }: PostedDeaths): Promise<boolean> {
    const config = options.feedOf(feed) ?? removedFeed(feed, channelId);
    const place = await placeOf(config);
    if (place === null) return false;
    await budget.turn(channelId, signal, 'rewording');
    const language = place === 'unknown' ? languageOf(config.locale ?? defaultLocale) : place.language;
    // Read first: what changes from here on makes the message outdated again.
    const revision = await deaths.revision();
    const known = place === 'unknown' ? [] : await serversOf(place);
    const servers = new Map(known.map((server) => [server.id, server]));
    const view = { servers, withServer: config.servers.length > 1, withPositions: config.positions };
    const embed = messageOf(language, view, await deaths.byId(ids));
    if (embed !== null) {
      const body = { embeds: fit([embed]), allowed_mentions: noMentions };
      try {
        await attempt(signal, (own) =>
          rest.patch(Routes.channelMessage(channelId, messageId), { body, signal: own }),
        );
      } catch (error) {
        if (failureOf(error) !== 'refused') throw error;
        // The message was deleted, or the bot has lost the channel. Another attempt would fail as well.
        log.warn(
          { error: loggable(error), channelId, messageId },
          'a message of a kill feed names a player who was hidden or forgotten, and cannot be edited; delete it if it is still there',
        );
      }
    }
    await deaths.reworded(messageId, revision);
    return true;
  }

  /** Tries each outdated message once, the newest first, until more players are hidden, shown or forgotten. */
  async function editAll(): Promise<{ found: number; edited: number; error?: unknown }> {
    const result: Awaited<ReturnType<typeof editAll>> = { found: 0, edited: 0 };
    const revision = await deaths.revision();
    let before: string | null = null;
    do {
      const outdated = await deaths.outdated(before);
      const last = outdated.at(-1);
      if (last === undefined) break;
      result.found += outdated.length;
      // At once, so that a channel at its limit delays no other.
      const outcomes = await Promise.allSettled(outdated.map(edit));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') result.error = outcome.reason;
        else if (outcome.value) result.edited += 1;
      }
      before = last.messageId;
    } while (!signal.aborted && (await deaths.revision()) === revision);
    return result;
  }

  async function runOnce(): Promise<void> {
    for (;;) {
      const version = deaths.version();
      if (version === done || signal.aborted) return;
      if (version === tried.version && monotonic() < tried.againAt) return;
      const { found, edited, error } = await editAll();
      report(error);
      if (found === 0) done = version;
      if (edited === 0) {
        tried = { version, againAt: monotonic() + tryAgainMs };
        return;
      }
    }
  }

  function report(error: unknown): void {
    if (error !== undefined && !isFailing && !signal.aborted)
      log.warn({ error: loggable(error) }, 'could not edit messages of kill feeds; the bot tries again');
    isFailing = error !== undefined;
  }

  return {
    async run() {
      running ??= runOnce()
        .catch(report)
        .finally(() => (running = null));
      await running;
    },
  };
}

/** A suspended project tells nothing of its servers. */
async function serversOf({ project }: FeedPlace): Promise<readonly Server[]> {
  try {
    return (await project.client.listServers()).data.servers;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'project_suspended') return [];
    throw error;
  }
}

/** A removed feed leaves its messages behind. */
const removedFeed = (key: string, channelId: string): FeedConfig => ({
  key,
  channelId,
  servers: [],
  show: [],
  delaySeconds: 0,
  positions: false,
  maxAgeMinutes: 0,
});
