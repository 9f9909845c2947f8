import { ActivityType, type PresenceData } from 'discord.js';
import type { Server } from '../../api/resources.ts';
import { defaultLocale, languageOf, type Language } from '../../locales/language.ts';
import { loggable } from '../loggable.ts';
import type { BotProject } from '../shown-project.ts';
import type { Alerts, ObservedProject } from './alerts/alerts.ts';
import type { JobOptions } from './background-options.ts';
import type { GuildContexts } from './guild-contexts.ts';

type ServerChecksOptions = JobOptions & { alerts: Alerts; contexts: GuildContexts };

const checkEveryMs = 20_000;
const readAtOnce = 8;
/** Discord allows five presence updates per connection in twenty seconds. */
const presencePauseMs = 15_000;

/** Reads the servers every 20 s, for alerts and the bot's presence. */
export class ServerChecks {
  readonly #options: ServerChecksOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #isStopped = false;
  #shown: { text: string | null; at: number } = { text: null, at: -Infinity };

  constructor(options: ServerChecksOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.run(), checkEveryMs);
    void this.run();
  }

  /** Checks now, or waits for a running check. Never rejects. */
  async run(): Promise<void> {
    if (this.#isStopped) return;
    this.#running ??= this.#check()
      .catch((error: unknown) =>
        this.#options.log.warn({ error: loggable(error) }, 'could not check the servers for alerts'),
      )
      .finally(() => (this.#running = null));
    await this.#running;
  }

  /** For a new session, which starts without a presence. */
  forgetPresence(): void {
    this.#shown.text = null;
  }

  /** Starts no new check. Resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #check(): Promise<void> {
    const { alerts, contexts, projectOf, areSeveral, config, signal } = this.#options;
    const { presence = true, locale = defaultLocale } = config();
    // There is one presence for all guilds, so it shows nothing of a project that is not theirs.
    const whole = presence && !areSeveral() ? projectOf(null) : null;
    const running = alerts.list().filter((alert) => contexts.runs(alert));
    const wanted = [...running.map((alert) => contexts.projectIn(alert)), whole];
    const projects = new Set(wanted.filter((project) => project !== null));
    /** Null: the servers of a project could not be read. */
    const observed = new Map<BotProject | null, ObservedProject | null>();
    const read = async (project: BotProject): Promise<void> => {
      const servers = await this.#readServers(project);
      observed.set(project, servers && { project, servers });
    };
    // Some at a time, so that the service answers others in between.
    for (let rest = [...projects]; rest.length > 0 && !signal.aborted; rest = rest.slice(readAtOnce)) {
      await Promise.all(rest.slice(0, readAtOnce).map(read));
    }
    if (signal.aborted) return;
    if (whole !== null)
      this.#showPresence(presenceOf(languageOf(locale), observed.get(whole)?.servers ?? null));
    await alerts.check((alert) => observed.get(contexts.projectIn(alert)) ?? null);
  }

  /** Null: they could not be read. A stale answer must not trigger alerts. */
  async #readServers({ client }: BotProject): Promise<readonly Server[] | null> {
    const answer = await client.listServers().catch((error: unknown) => {
      this.#options.log.debug({ error: loggable(error) }, 'could not read the servers');
      return null;
    });
    return answer === null || answer.stale ? null : answer.data.servers;
  }

  /** Sends a presence only if it changed, and not more often than Discord allows. */
  #showPresence(presence: PresenceData): void {
    const { gateway, monotonic } = this.#options;
    const text = JSON.stringify(presence);
    if (text === this.#shown.text || monotonic() - this.#shown.at < presencePauseMs) return;
    gateway.setPresence(presence);
    this.#shown = { text, at: monotonic() };
  }
}

/** The presence for all servers; null: they could not be read. */
function presenceOf(language: Language, servers: readonly Server[] | null): PresenceData {
  const online = (servers ?? []).filter(({ status }) => status === 'ONLINE');
  const text = (): string => {
    const known = (servers ?? []).filter(({ status }) => status !== 'UNKNOWN');
    if (known.length === 0) return language.t('presence.unknown');
    if (online.length === 0) return language.t('presence.offline', { count: known.length });
    const players = online.reduce((sum, server) => sum + (server.players ?? 0), 0);
    const slots = online.reduce<number | null>(
      (sum, { maxPlayers }) => (sum === null || maxPlayers === null ? null : sum + maxPlayers),
      0,
    );
    if (slots === null) return language.t('presence.playersOnly', { count: players });
    return language.t('presence.players', {
      players: language.number(players),
      slots: language.number(slots),
    });
  };
  const state = text();
  return {
    status: online.length > 0 ? 'online' : 'idle',
    activities: [{ type: ActivityType.Custom, name: state, state }],
  };
}
