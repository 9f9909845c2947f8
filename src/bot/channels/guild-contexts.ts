import { defaultLocale, languageOf, type Language } from '../../locales/language.ts';
import { ProblemLog } from '../../process/problem-log.ts';
import { guildSettings } from '../guild-settings.ts';
import type { ShownProject } from '../shown-project.ts';
import type { JobOptions } from './background-options.ts';
import type { JobConfig } from './job.ts';

const foreignServers =
  'nothing is posted: these servers belong to another project than the Discord server of the channel shows; post servers of its project there, or set its project in discord.guilds';
const notHome =
  'nothing is posted: the Discord server of the channel is not a home guild; if it is yours, add it to discord.guilds';

/** What a job takes from the guild of its channel. */
export interface GuildContext {
  language: Language;
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
  /** The project that the guild shows. */
  project: ShownProject;
}

type Place = Pick<JobConfig, 'key' | 'channelId' | 'guildId' | 'locale'>;

/** The guilds of jobs: their language, their project, and whether jobs run there. */
export class GuildContexts {
  readonly #options: JobOptions;
  /**
   * The guilds of channels. discord.js forgets threads that have been archived for hours. This keeps channels that are gone,
   * too, so that jobs in them are listed.
   */
  readonly #seen = new Map<string, string>();
  /** Of jobs that may not run, by their keys. */
  readonly #problems = new ProblemLog();

  constructor(options: JobOptions) {
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
    const { gateway, signal, projectOf, config } = this.#options;
    const known = this.guildIdOf(job);
    if (known !== null && gateway.guild(known) === null) return 'waits';
    if (gateway.isUnavailable(known ?? undefined)) return 'waits';
    // discord.js does not know a thread that was archived before the start.
    const guild = gateway.guildOf(job.channelId) ?? (await gateway.findGuildOf(job.channelId, signal));
    if (guild === null) throw new Error('the channel is not one of a Discord server');
    this.guildIdOf(job);
    const project = projectOf(guild.id);
    if (project === null) return 'waits';
    const isPaused = !this.#isAllowed(job, guild.id);
    const isForeign = project.areForeign(serversOf(job));
    this.#report(job, isPaused ? notHome : isForeign ? foreignServers : null);
    if (isPaused) return 'paused';
    if (isForeign) return 'otherProject';
    const { timezone } = guildSettings(config().guilds, guild.id) ?? {};
    return { language: this.languageIn(job), timezone, project };
  }

  /** In this order: the job's own language, the guild's in the config, the config's, the guild's on Discord. */
  languageIn(place: Place): Language {
    const { gateway, config } = this.#options;
    const { guilds, locale: common } = config();
    const id = this.guildIdOf(place);
    const settings = id === null ? undefined : guildSettings(guilds, id);
    const guild = id === null ? null : gateway.guild(id);
    return languageOf(place.locale ?? settings?.locale ?? common ?? guild?.locale ?? defaultLocale);
  }

  /** The guild of the channel; null: it is not known. */
  guildIdOf({ channelId, guildId }: Pick<Place, 'channelId' | 'guildId'>): string | null {
    const seen = this.#options.gateway.guildOf(channelId)?.id ?? this.#seen.get(channelId);
    if (seen !== undefined) this.#seen.set(channelId, seen);
    return seen ?? guildId ?? null;
  }

  /**
   * Jobs run in home guilds. Where the config names none, what it places runs in any guild: only the owner writes there, whereas
   * anyone who adds the bot to a second guild changes which one is a home guild.
   */
  #isAllowed({ guildId: placedIn }: JobConfig, guildId: string): boolean {
    const { isHome, areHomesKnown } = this.#options;
    return isHome(guildId) || (placedIn === undefined && !areHomesKnown());
  }

  #report({ key, channelId }: JobConfig, problem: string | null): void {
    const { error } = this.#problems.update(key, problem);
    if (error !== undefined) this.#options.log.error({ channelId }, error);
  }
}

const serversOf = ({ options }: JobConfig): readonly string[] =>
  (options as { servers?: readonly string[] }).servers ?? [];
