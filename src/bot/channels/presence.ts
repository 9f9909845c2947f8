import { ActivityType, type PresenceData } from 'discord.js';
import type { Server } from '../../api/resources.ts';
import { defaultLocale, languageOf, type Language } from '../../locales/language.ts';
import type { BotContext } from '../bot-options.ts';
import { presencePauseMs } from '../limits.ts';
import type { ServerReader } from './server-reader.ts';

/**
 * Shows in the bot's presence how many play. It is no job: it has no channel, and there is one for all guilds.
 * @param signal aborted: it starts nothing new
 */
export function createPresence(context: BotContext, servers: ServerReader, signal: AbortSignal) {
  const { gateway, settings, monotonic, checkEveryMs } = context;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let shown: { text: string | null; at: number } = { text: null, at: -Infinity };

  /** Reads the servers now, or waits for a running call. Never rejects. */
  async function run(): Promise<void> {
    running ??= check().finally(() => (running = null));
    await running;
  }

  async function check(): Promise<void> {
    const { projects, config } = settings();
    const { presence, locale = defaultLocale } = config;
    // All guilds see the same presence, so there is none where they show different projects.
    const project = presence && !projects.areSeveral() ? projects.of(null) : null;
    if (project === null || signal.aborted) return;
    show(presenceOf(languageOf(locale), await servers.read(project.client)));
  }

  /** Sends a presence only if it changed, and not more often than Discord allows. */
  function show(presence: PresenceData): void {
    const text = JSON.stringify(presence);
    if (text === shown.text || monotonic() - shown.at < presencePauseMs) return;
    gateway.setPresence(presence);
    shown = { text, at: monotonic() };
  }

  return {
    run,
    start(): void {
      timer = setInterval(() => void run(), checkEveryMs);
      void run();
    },
    /** For a new session, which starts without a presence. */
    forget(): void {
      shown.text = null;
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}

/** The presence for all servers; null: they could not be read. */
function presenceOf(language: Language, servers: readonly Server[] | null): PresenceData {
  const known = (servers ?? []).filter(({ status }) => status !== 'UNKNOWN');
  const online = known.filter(({ status }) => status === 'ONLINE');
  const state = textOf(language, known, online);
  return {
    status: online.length > 0 ? 'online' : 'idle',
    activities: [{ type: ActivityType.Custom, name: state, state }],
  };
}

/** How many play, and of how many slots where all servers say that. @param online those of the known servers that are online */
function textOf(language: Language, known: readonly Server[], online: readonly Server[]): string {
  if (known.length === 0) return language.t('presence.unknown');
  if (online.length === 0) return language.t('presence.offline', { count: known.length });
  const players = sum(online.map((server) => server.players ?? 0));
  const slots = online.flatMap(({ maxPlayers }) => maxPlayers ?? []);
  if (slots.length < online.length) return language.t('presence.playersOnly', { count: players });
  return language.t('presence.players', {
    players: language.number(players),
    slots: language.number(sum(slots)),
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
