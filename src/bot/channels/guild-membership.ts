import type { JobOptions } from './background-options.ts';
import type { PlacedConfig } from './placed-config.ts';
import type { GuildPlacements } from './placements.ts';

type GuildMembershipOptions = JobOptions & {
  /** What the config places, in all guilds. */
  jobs: readonly Job[];
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

/**
 * Starts what the config places. Removes the posts, alerts and kill feeds of a guild that the bot leaves; when the bot rejoins,
 * those of the config start again.
 */
export class GuildMembership {
  readonly #options: GuildMembershipOptions;

  constructor(options: GuildMembershipOptions) {
    this.#options = options;
    for (const job of options.jobs) job.start();
    void this.#findUnknown();
  }

  joined(guildId: string): void {
    this.#learnGuilds();
    for (const job of this.#options.jobs) if (job.guildId === guildId) job.start();
  }

  /** Channels of a guild may have become known. */
  changed(): void {
    this.#learnGuilds();
  }

  /** Never rejects. */
  async left(guildId: string): Promise<void> {
    const { jobs, placements, log } = this.#options;
    const here = jobs.filter((job) => job.guildId === guildId);
    await Promise.all(here.map((job) => job.remove()));
    await placements.forgetGuild(guildId);
    log.info(`the bot left the guild ${guildId}; its posts are removed`);
  }

  /**
   * Asks for the guilds of threads that are archived, which discord.js does not know: where guilds show different projects,
   * alerts wait for them. Where Discord refuses, each job says so itself.
   */
  async #findUnknown(): Promise<void> {
    const { jobs, gateway, areSeveral, signal } = this.#options;
    this.#learnGuilds();
    if (!areSeveral()) return;
    const unknown = jobs.filter(({ guildId }) => guildId === undefined);
    await Promise.allSettled(unknown.map(({ channelId }) => gateway.findGuildOf(channelId, signal)));
    this.#learnGuilds();
  }

  #learnGuilds(): void {
    const { jobs, gateway } = this.#options;
    for (const job of jobs) job.guildId ??= gateway.guildOf(job.channelId)?.id;
  }
}
