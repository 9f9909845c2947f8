import { ActivityType, type PresenceData } from 'discord.js';
import type { Server } from '../../api/resources.ts';
import { defaultLocale, languageOf, type Language } from '../../locales/language.ts';
import type { BotContext } from '../bot-options.ts';
import { presencePauseMs } from '../limits.ts';
import type { ServerReader } from './server-reader.ts';

type PresenceOptions = BotContext & { signal: AbortSignal };

/** Shows in the bot's presence how many play. It is no job: it has no channel, and there is one for all guilds. */
export class Presence {
  readonly #options: PresenceOptions;
  readonly #servers: ServerReader;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #shown: { text: string | null; at: number } = { text: null, at: -Infinity };

  constructor(options: PresenceOptions, servers: ServerReader) {
    this.#options = options;
    this.#servers = servers;
  }

  start(): void {
    this.#timer = setInterval(() => void this.run(), this.#options.checkEveryMs);
    void this.run();
  }

  /** Reads the servers now, or waits for a running call. Never rejects. */
  async run(): Promise<void> {
    this.#running ??= this.#check().finally(() => (this.#running = null));
    await this.#running;
  }

  /** For a new session, which starts without a presence. */
  forget(): void {
    this.#shown.text = null;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #check(): Promise<void> {
    const { settings, signal } = this.#options;
    const { projects, config } = settings();
    const { presence = true, locale = defaultLocale } = config;
    // It shows nothing of a project that is not that of all guilds.
    const project = presence && !projects.areSeveral() ? projects.of(null) : null;
    if (project === null || signal.aborted) return;
    this.#show(presenceOf(languageOf(locale), await this.#servers.read(project.client)));
  }

  /** Sends a presence only if it changed, and not more often than Discord allows. */
  #show(presence: PresenceData): void {
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
