import { ServiceError } from '../../../api/client-types.ts';
import type { Server } from '../../../api/resources.ts';
import type { PostedDeaths } from '../../../commands/ports/ports.ts';
import { fit } from '../../../embeds/limits.ts';
import { defaultLocale, languageOf } from '../../../locales/language.ts';
import { loggable } from '../../loggable.ts';
import { failureOf } from '../channel-refusal.ts';
import type { GuildContext } from '../placed-config.ts';
import { Sender } from '../sender.ts';
import type { FeedConfig } from './feed-config.ts';
import type { FeedOptions } from './feed.ts';
import { messageOf } from './next-message.ts';

type ReworderOptions = FeedOptions & {
  /** The feed that posted a message; undefined: it was removed. */
  feedOf: (key: string) => FeedConfig | undefined;
};

/** Between two attempts to edit what could not be edited. */
const tryAgainMs = 10_000;

const failed = 'could not edit messages of kill feeds; the bot tries again';

/**
 * Edits messages of kill feeds whose players were hidden, shown or forgotten since they were posted, whichever project their
 * guild shows now.
 */
export class Reworder {
  readonly #options: ReworderOptions;
  #running: Promise<void> | null = null;
  /** The store's version at which everything was tried, and when what was left is tried again, by the monotonic clock. */
  #tried = { version: NaN, againAt: 0 };
  #isFailing = false;

  constructor(options: ReworderOptions) {
    this.#options = options;
  }

  /** Edits what is outdated, or waits for a running call. Never rejects. */
  async run(): Promise<void> {
    this.#running ??= this.#runOnce()
      .catch((error: unknown) => this.#report(error))
      .finally(() => (this.#running = null));
    await this.#running;
  }

  async settle(): Promise<void> {
    await this.#running;
  }

  /** Tries each outdated message once, the newest first. */
  async #runOnce(): Promise<void> {
    const { deaths, signal, monotonic } = this.#options;
    const version = deaths.version();
    if (version === this.#tried.version && monotonic() < this.#tried.againAt) return;
    let left = 0;
    let error: unknown;
    for (let before: string | null = null; !signal.aborted;) {
      const outdated = await deaths.outdated(before);
      const last = outdated.at(-1);
      if (last === undefined) break;
      // At once, so that a channel at its limit delays no other.
      const outcomes = await Promise.allSettled(outdated.map((posted) => this.#edit(posted)));
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') continue;
        error = outcome.reason;
        left += 1;
      }
      before = last.messageId;
    }
    this.#report(error);
    this.#tried = { version, againAt: left === 0 ? Infinity : monotonic() + tryAgainMs };
  }

  async #edit({ feed, channelId, messageId, deaths: ids }: PostedDeaths): Promise<void> {
    const { deaths, feedOf, log } = this.#options;
    const config = feedOf(feed) ?? { ...removedFeed, key: feed, channelId };
    const context = await this.#contextOf(config);
    const sender = new Sender({
      ...this.#options,
      channelId,
      name: 'kill feed',
      failed,
      log: log.child({ channelId }),
    });
    await sender.turn('rewording');
    const language = context === 'unknown' ? languageOf(config.locale ?? defaultLocale) : context.language;
    // Read first: what changes from here on makes the message outdated again.
    const revision = await deaths.revision();
    const known = context === 'unknown' ? [] : await serversOf(context);
    const servers = new Map(known.map((server) => [server.id, server]));
    const view = { servers, withServer: config.servers.length > 1, withPositions: config.positions };
    const embed = messageOf(language, view, await deaths.byId(ids));
    if (embed !== null) {
      await sender.reword(messageId, { embeds: fit([embed]) }, 'a message of a kill feed names');
    }
    await deaths.reworded(messageId, revision);
  }

  /** `unknown`: the channel is deleted, or its guild is not available or shows no project any more. */
  async #contextOf(config: FeedConfig): Promise<GuildContext | 'unknown'> {
    const { contextOf, gateway, signal } = this.#options;
    // discord.js does not know an archived thread.
    await gateway.findGuildOf(config.channelId, signal).catch((error: unknown) => {
      if (failureOf(error) !== 'refused') throw error;
    });
    const context = contextOf(config);
    return context === 'unavailable' ? 'unknown' : context;
  }

  #report(error: unknown): void {
    const { log, signal } = this.#options;
    if (error !== undefined && !this.#isFailing && !signal.aborted)
      log.warn({ error: loggable(error) }, failed);
    this.#isFailing = error !== undefined;
  }
}

/** The service answers nothing about the servers of a suspended project. */
async function serversOf({ project }: GuildContext): Promise<readonly Server[]> {
  try {
    return (await project.client.listServers()).data.servers;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'project_suspended') return [];
    throw error;
  }
}

/** A removed feed leaves its messages behind. */
const removedFeed = { servers: [], show: [], delaySeconds: 0, positions: false, maxAgeMinutes: 0 };
