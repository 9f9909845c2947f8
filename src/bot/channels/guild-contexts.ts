import { defaultLocale, languageOf, type Language } from '../../locales/language.ts';
import { ProblemLog } from '../../process/problem-log.ts';
import { guildSettings } from '../guild-settings.ts';
import type { BotProject } from '../shown-project.ts';
import type { AlertConfig } from './alerts/alert-rules.ts';
import type { JobOptions } from './background-options.ts';
import type { GuildContext, PlacedConfig } from './placed-config.ts';
import type { PostConfig } from './posts/post-config.ts';
import type { PostContext } from './posts/post.ts';

const foreignServers =
  'nothing is posted: these servers belong to another project than the Discord server of the channel shows; post servers of its project there, or set its project in discord.guilds';

/** What posts, alerts and kill feeds take from the guild of their channel: its language, its project, whether they run. */
export class GuildContexts {
  readonly #options: JobOptions;
  /**
   * The guilds of channels. discord.js forgets threads that have been archived for hours. This keeps channels that are gone,
   * too, so that posts in them are listed, while kill feeds ask Discord and notice that at once.
   */
  readonly #seen = new Map<string, string>();
  /** Of posts, alerts and feeds that name servers of another project, by their keys. */
  readonly #problems = new ProblemLog();

  constructor(options: JobOptions) {
    this.#options = options;
  }

  /** In this order: the post's own language, the guild's in the config, the config's, the guild's on Discord. */
  languageIn(placed: PlacedConfig): Language {
    const { guild, settings } = this.#guildOf(placed);
    const { locale: common } = this.#options.config();
    return languageOf(placed.locale ?? settings?.locale ?? common ?? guild?.locale ?? defaultLocale);
  }

  /** The language of a post in a channel whose guild may not be known yet. Never rejects. */
  async languageOf(placed: PlacedConfig): Promise<Language> {
    await this.#learnGuild(placed).catch(() => undefined);
    return this.languageIn(placed);
  }

  /** The guild of the channel; null: it is not known. */
  guildIdOf({ channelId, guildId }: PlacedConfig): string | null {
    const seen = this.#options.gateway.guildOf(channelId)?.id ?? this.#seen.get(channelId);
    if (seen !== undefined) this.#seen.set(channelId, seen);
    return seen ?? guildId ?? null;
  }

  /** Null where the guild of the channel is not known and guilds show different projects. */
  projectIn(placed: PlacedConfig): BotProject | null {
    const guildId = this.guildIdOf(placed);
    return guildId === null && this.#options.areSeveral() ? null : this.#options.projectOf(guildId);
  }

  /** Posts and alerts from the config run in every guild. */
  runs({ guildId }: PlacedConfig): boolean {
    return guildId === undefined || this.#options.isHome(guildId);
  }

  runsAlert(alert: AlertConfig): boolean {
    const project = this.projectIn(alert);
    return this.runs(alert) && project !== null && !this.#isForeign(project, alert, alert.servers);
  }

  /**
   * Null: the guild is not available yet, or has no project.
   * @throws the client's errors where the guild is not known and Discord does not say it
   */
  async ofPost(post: PostConfig): Promise<PostContext | null> {
    await this.#learnGuild(post);
    const { guild, settings } = this.#guildOf(post);
    // The guild decides the language, and only Discord knows which guild a channel belongs to.
    if (guild === null && this.#isUnavailable(post)) return null;
    const project = this.projectIn(post);
    if (project === null) return null;
    const { content } = post;
    return {
      language: this.languageIn(post),
      timezone: settings?.timezone,
      project,
      isHome: guild !== null && this.#options.isHome(guild.id),
      paused: !this.runs(post),
      isForeign: content.kind !== 'leaderboard' && this.#isForeign(project, post, content.servers),
    };
  }

  /** Of a kill feed, recaps or alerts about players. */
  ofFeed(
    feed: PlacedConfig & { servers?: readonly string[] | undefined },
  ): GuildContext | 'unknown' | 'unavailable' {
    const { gateway, projectOf, isHome } = this.#options;
    const guildId = gateway.guildOf(feed.channelId)?.id;
    if (guildId === undefined) return this.#isUnavailable(feed) ? 'unavailable' : 'unknown';
    const project = projectOf(guildId);
    if (project === null) return 'unavailable';
    // Names and kills from logs are for home guilds only, also where the config names the channel.
    const paused = !isHome(guildId) || this.#isForeign(project, feed, feed.servers ?? []);
    return { guildId, language: this.languageIn(feed), paused, project };
  }

  #guildOf(placed: PlacedConfig) {
    const { gateway, config } = this.#options;
    const id = this.guildIdOf(placed);
    if (id === null) return { guild: null, settings: undefined };
    return { guild: gateway.guild(id), settings: guildSettings(config().guilds, id) };
  }

  /** Asks Discord for the guild of a channel that discord.js does not know: an archived thread, or one that is gone. */
  async #learnGuild(placed: PlacedConfig): Promise<void> {
    const { gateway, signal } = this.#options;
    if (this.guildIdOf(placed) !== null || this.#isUnavailable(placed)) return;
    await gateway.findGuildOf(placed.channelId, signal);
  }

  #isUnavailable(placed: PlacedConfig): boolean {
    return this.#options.gateway.isUnavailable(this.guildIdOf(placed) ?? undefined);
  }

  /** Whether servers of a post, alerts or a feed belong to another project than its guild shows. Logged once each. */
  #isForeign(project: BotProject, { key, channelId }: PlacedConfig, servers: readonly string[]): boolean {
    const isForeign = project.areForeign(servers);
    const { error } = this.#problems.update(key, isForeign ? foreignServers : null);
    if (error !== undefined) this.#options.log.error({ channelId, servers }, error);
    return isForeign;
  }
}
