import type { REST } from '@discordjs/rest';
import { Routes } from 'discord.js';
import type { Logger } from 'pino';
import type { Deaths, PostedDeaths } from '../../commands/ports.ts';
import { fit } from '../../embeds/limits.ts';
import { defaultLocale, languageOf } from '../../locales/language.ts';
import { noMentions } from '../acknowledgement.ts';
import { loggable } from '../loggable.ts';
import type { EditBudget } from '../posts/edit-budget.ts';
import { attempt, failureOf } from './delivery.ts';
import type { FeedConfig } from './feed-config.ts';
import type { FeedPlace } from './feed.ts';
import { messageOf } from './next-message.ts';

export interface ReworderOptions {
  /** Of all projects: what was posted is edited, whichever project the guild shows now. */
  deaths: Deaths;
  rest: REST;
  budget: EditBudget;
  log: Logger;
  placeOf: (feed: FeedConfig, guildId: string | null) => FeedPlace | 'unknown' | 'unavailable';
  /** The feed that posted a message; undefined: it was removed. */
  feedOf: (key: string) => FeedConfig | undefined;
  signal: AbortSignal;
}

/** Edits messages of kill feeds whose players were hidden, shown or forgotten since they were posted. */
export interface Reworder {
  /** Edits what is outdated, or waits for a running call. Never rejects. */
  run(): Promise<void>;
}

export function createReworder(options: ReworderOptions): Reworder {
  const { deaths, rest, budget, log, signal } = options;
  let running: Promise<void> | null = null;
  /** The store's version at which nothing was outdated. */
  let done = NaN;

  /** @returns false: it has to be tried again */
  async function edit({ feed, channelId, messageId, deaths: ids }: PostedDeaths): Promise<boolean> {
    const config = options.feedOf(feed) ?? removedFeed(feed, channelId);
    const place = options.placeOf(config, null);
    if (place === 'unavailable') return false;
    const language = place === 'unknown' ? languageOf(config.locale ?? defaultLocale) : place.language;
    // Read first: what changes from here on makes the message outdated again.
    const revision = await deaths.revision();
    const answer = place === 'unknown' ? null : await place.project.client.listServers();
    const servers = new Map((answer?.data.servers ?? []).map((server) => [server.id, server]));
    const view = { servers, withServer: config.servers.length > 1, withPositions: config.positions };
    const embed = messageOf(language, view, await deaths.byId(ids));
    if (embed !== null) {
      await budget.turn(channelId, signal, 'edit');
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

  async function runOnce(): Promise<void> {
    for (;;) {
      const version = deaths.version();
      if (version === done || signal.aborted) return;
      const outdated = await deaths.outdated();
      let edited = 0;
      for (const message of outdated) if (await edit(message)) edited += 1;
      if (outdated.length === 0) done = version;
      if (edited === 0) return;
    }
  }

  return {
    async run() {
      running ??= runOnce()
        .catch((error: unknown) => {
          if (!signal.aborted)
            log.warn(
              { error: loggable(error) },
              'could not edit messages of kill feeds; the bot tries again',
            );
        })
        .finally(() => (running = null));
      await running;
    },
  };
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
