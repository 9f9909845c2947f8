import { defaultLocale, languageOf, type Language } from '../../locales/language.ts';
import { ProblemLog } from '../../process/problem-log.ts';
import type { BotContext } from '../bot-options.ts';
import type { GuildContext, JobConfig } from './job.ts';

const foreignServers =
  'nothing is posted: these servers belong to another project than the Discord server of the channel shows; post servers of its project there, or set its project in discord.guilds';
const notHome =
  'nothing is posted: the Discord server of the channel is not one of those that the config names; if it is yours, add it to discord.guilds';

export type GuildContexts = ReturnType<typeof createGuildContexts>;

/** The guilds of jobs: their language, their project, and whether jobs run there. @param signal ends requests */
export function createGuildContexts(
  { gateway, homes, settings, log }: Pick<BotContext, 'gateway' | 'homes' | 'settings' | 'log'>,
  signal: AbortSignal,
) {
  /** The guilds of channels. discord.js forgets threads that have been archived for hours, and channels that are gone. */
  const seen = new Map<string, string>();
  /** Of jobs that may not run, by their keys. */
  const problems = new ProblemLog();

  /** What the config says of a guild. */
  const configOf = (guildId: string | null) => settings().config.guilds.find(({ id }) => id === guildId);

  /** The guild of a job's channel; null: it is not known. */
  function guildIdOf({ channelId, guildId }: Pick<JobConfig, 'channelId' | 'guildId'>): string | null {
    const known = gateway.channel(channelId)?.guildId ?? seen.get(channelId);
    if (known !== undefined) seen.set(channelId, known);
    return known ?? guildId ?? null;
  }

  /** In this order: the job's own language, the guild's in the config, the config's, the guild's on Discord. */
  function languageIn(job: JobConfig): Language {
    const guildId = guildIdOf(job);
    const configured = job.locale ?? configOf(guildId)?.locale ?? settings().config.locale;
    return languageOf(configured ?? gateway.guild(guildId ?? '')?.preferredLocale ?? defaultLocale);
  }

  /**
   * - `waits`: the guild is in an outage, not received yet, or has no project, or the bot has left it.
   * - `paused`: it is no home guild.
   * - `otherProject`: the servers of the job belong to another project than the guild shows.
   *
   * @throws the client's errors where the channel is gone or hidden
   */
  async function of(job: JobConfig): Promise<GuildContext | 'waits' | 'paused' | 'otherProject'> {
    const known = guildIdOf(job);
    if (known !== null && gateway.guild(known) === undefined) return 'waits';
    if (gateway.isUnavailable(known ?? undefined)) return 'waits';
    const guildId = await gateway.findGuildOf(job.channelId, signal);
    if (guildId === null) throw new Error('the channel is not one of a Discord server');
    const project = settings().projects.of(guildId);
    if (project === null) return 'waits';
    // Where the config names no home guild, its own jobs run in any guild: only the owner writes there, whereas anyone who
    // adds the bot to a second guild changes which one is a home guild.
    const isAllowed = homes.isHome(guildId) || (job.guildId === undefined && !homes.areNamed());
    const { servers = [] } = job.options as { servers?: readonly string[] };
    const isForeign = project.hasForeign(servers);
    const { error } = problems.update(job.key, !isAllowed ? notHome : isForeign ? foreignServers : null);
    if (error !== undefined) log.error({ channelId: job.channelId }, error);
    if (!isAllowed) return 'paused';
    if (isForeign) return 'otherProject';
    return { language: languageIn(job), timezone: configOf(guildId)?.timezone, project };
  }

  return { of, languageIn, guildIdOf };
}
