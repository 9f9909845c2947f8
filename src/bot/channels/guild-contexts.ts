import { defaultLocale, languageOf, type Language } from '../../locales/language.ts';
import { ProblemLog } from '../../process/problem-log.ts';
import type { BotContext } from '../bot-options.ts';
import { guildSettings } from '../guild-settings.ts';
import type { ShownProject } from '../shown-project.ts';
import type { JobConfig } from './job.ts';

const foreignServers =
  'nothing is posted: these servers belong to another project than the Discord server of the channel shows; post servers of its project there, or set its project in discord.guilds';
const notHome =
  'nothing is posted: the Discord server of the channel is not one of those that the config names; if it is yours, add it to discord.guilds';

/** What a job takes from the guild of its channel. */
export interface GuildContext {
  language: Language;
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
  /** The project that the guild shows. */
  project: ShownProject;
}

type ContextOptions = Pick<BotContext, 'gateway' | 'homes' | 'settings' | 'log'> & { signal: AbortSignal };

/** The guilds of jobs: their language, their project, and whether jobs run there. */
export class GuildContexts {
  readonly #options: ContextOptions;
  /** The guilds of channels. discord.js forgets threads that have been archived for hours, and channels that are gone. */
  readonly #seen = new Map<string, string>();
  /** Of jobs that may not run, by their keys. */
  readonly #problems = new ProblemLog();

  constructor(options: ContextOptions) {
    this.#options = options;
  }

  /**
   * - `waits`: the guild is in an outage, not received yet, or has no project, or the bot has left it.
   * - `paused`: it is no home guild.
   * - `otherProject`: the servers of the job belong to another project than the guild shows.
   *
   * @throws the client's errors where the channel is gone or hidden
   */
  async of(job: JobConfig): Promise<GuildContext | 'waits' | 'paused' | 'otherProject'> {
    const { gateway, homes, settings, signal } = this.#options;
    const known = this.guildIdOf(job);
    if (known !== null && gateway.localeOf(known) === null) return 'waits';
    if (gateway.isUnavailable(known ?? undefined)) return 'waits';
    const guildId = await gateway.findGuildOf(job.channelId, signal);
    if (guildId === null) throw new Error('the channel is not one of a Discord server');
    const { projects, config } = settings();
    const project = projects.of(guildId);
    if (project === null) return 'waits';
    // Where the config names no home guild, its own jobs run in any guild: only the owner writes there, whereas anyone who
    // adds the bot to a second guild changes which one is a home guild.
    const isAllowed = homes.isHome(guildId) || (job.guildId === undefined && !homes.areNamed());
    const { servers = [] } = job.options as { servers?: readonly string[] };
    const isForeign = project.areForeign(servers);
    this.#report(job, !isAllowed ? notHome : isForeign ? foreignServers : null);
    if (!isAllowed) return 'paused';
    if (isForeign) return 'otherProject';
    const { timezone } = guildSettings(config.guilds, guildId) ?? {};
    return { language: this.languageIn(job), timezone, project };
  }

  /** In this order: the job's own language, the guild's in the config, the config's, the guild's on Discord. */
  languageIn(job: JobConfig): Language {
    const { config } = this.#options.settings();
    const guildId = this.guildIdOf(job) ?? '';
    const configured = job.locale ?? guildSettings(config.guilds, guildId)?.locale ?? config.locale;
    return languageOf(configured ?? this.#options.gateway.localeOf(guildId) ?? defaultLocale);
  }

  /** The guild of a job's channel; null: it is not known. */
  guildIdOf({ channelId, guildId }: Pick<JobConfig, 'channelId' | 'guildId'>): string | null {
    const seen = this.#options.gateway.guildOf(channelId) ?? this.#seen.get(channelId);
    if (seen !== undefined) this.#seen.set(channelId, seen);
    return seen ?? guildId ?? null;
  }

  #report({ key, channelId }: JobConfig, problem: string | null): void {
    const { error } = this.#problems.update(key, problem);
    if (error !== undefined) this.#options.log.error({ channelId }, error);
  }
}
