import { setTimeout as delay } from 'node:timers/promises';
import type { JobOptions } from './background-options.ts';
import type { PlacedConfig } from './placed-config.ts';
import type { GuildPlacements } from './placements.ts';
import type { Posts } from './posts/posts.ts';

type GuildMembershipOptions = JobOptions & {
  /** What the config places, in all guilds. */
  jobs: readonly Job[];
  posts: Posts;
  placements: GuildPlacements;
};

/** A post, alerts or a kill feed of the config. */
interface Job {
  channelId: string;
  /** Recorded in advance: after the bot left a guild, its channels are unknown. Undefined: not known yet. */
  guildId: string | undefined;
  /** Starts it, unless it runs. */
  start: () => void;
  remove: () => Promise<void>;
}

export function jobsOf<Config extends PlacedConfig>(
  all: { start(config: Config): void; remove(key: string): Promise<void> },
  configs: readonly Config[],
): Job[] {
  return configs.map((config) => ({
    channelId: config.channelId,
    guildId: undefined,
    start: () => all.start(config),
    remove: () => all.remove(config.key),
  }));
}

/** Whether a channel is served here, as far as is known: another process may serve one that is unknown. */
export const isHere = ({ gateway }: Pick<JobOptions, 'gateway'>, channelId: string): boolean =>
  gateway.isComplete() || gateway.guildOf(channelId) !== null;

/** Pause between two rounds of requests to Discord while it does not answer. */
const askAgainMs = 60_000;

/**
 * Starts what the config places in channels that become known later. Removes the posts, alerts and kill feeds of a guild that
 * the bot leaves; when the bot rejoins, those of the config start again.
 */
export class GuildMembership {
  readonly #options: GuildMembershipOptions;

  constructor(options: GuildMembershipOptions) {
    this.#options = options;
    for (const job of options.jobs) if (isHere(options, job.channelId)) job.start();
    this.#start((guildId) => options.gateway.serves(guildId));
    void this.#findUnknown();
  }

  joined(guildId: string): void {
    this.#start((each) => each === guildId);
  }

  /** Channels of the guild may have become known. */
  changed(guildId: string): void {
    if (this.#unknown().length > 0) this.joined(guildId);
  }

  /** Never rejects. */
  async left(guildId: string): Promise<void> {
    const { jobs, placements, log } = this.#options;
    const here = jobs.filter((job) => job.guildId === guildId);
    await Promise.all(here.map((job) => job.remove()));
    await placements.forgetGuild(guildId);
    log.info(`the bot left the guild ${guildId}; its posts are removed`);
  }

  #unknown(): Job[] {
    return this.#options.jobs.filter(({ guildId }) => guildId === undefined);
  }

  /** Starts what is placed in these guilds, as far as it is known. */
  #start(isWanted: (guildId: string) => boolean): void {
    const { jobs, gateway, channelGuilds } = this.#options;
    for (const job of jobs) {
      job.guildId ??= gateway.guildOf(job.channelId)?.id ?? channelGuilds.known(job.channelId);
      if (job.guildId !== undefined && isWanted(job.guildId)) job.start();
    }
  }

  /**
   * Finds the guilds of channels that the gateway does not know, one by one. Where it is complete and guilds show the same
   * project, nothing waits for that, and a post says itself why Discord refuses it.
   */
  async #findUnknown(): Promise<void> {
    const { gateway, areSeveral, signal } = this.#options;
    let left = new Set(this.#unknown().map(({ channelId }) => channelId));
    while (left.size > 0 && (areSeveral() || !gateway.isComplete())) {
      const unanswered = new Set<string>();
      for (const channelId of left) {
        if (signal.aborted) return;
        await this.#find(channelId).catch(() => unanswered.add(channelId));
      }
      left = unanswered;
      if (left.size > 0) await delay(askAgainMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #find(channelId: string): Promise<void> {
    const { gateway, channelGuilds, posts, log, signal } = this.#options;
    const guildId = await channelGuilds.find(channelId, signal);
    if (signal.aborted) return;
    if (guildId !== null && gateway.serves(guildId)) {
      this.joined(guildId);
      posts.retryBlocked();
    }
    // The other processes find the same.
    else if (guildId === null && gateway.isFirst())
      log.error(
        `Discord does not show the bot the channel ${channelId}, in which the config places something`,
      );
  }
}
