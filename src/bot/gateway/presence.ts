import { ActivityType, type PresenceData } from 'discord.js';
import type { Server } from '../../api/resources.ts';
import type { Language } from '../../locales/language.ts';

/** The presence for all servers; null: they could not be read. */
export function presenceOf(language: Language, servers: readonly Server[] | null): PresenceData {
  const online = (servers ?? []).filter(({ status }) => status === 'ONLINE');
  const text = (): string => {
    if (servers === null || servers.every(({ status }) => status === 'UNKNOWN')) {
      return language.t('presence.unknown');
    }
    if (online.length === 0) return language.t('presence.offline', { count: servers.length });
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

/** Discord allows five presence updates per connection in twenty seconds. */
const shortestPauseMs = 15_000;

/** Sends a presence only if it changed, and not more often than Discord allows. */
export function createPresence(
  show: (presence: PresenceData) => void,
  monotonic: () => number,
): { show(presence: PresenceData): void; forget(): void } {
  let shown: string | null = null;
  let shownAt = -Infinity;
  return {
    show(presence) {
      const text = JSON.stringify(presence);
      if (text === shown || monotonic() - shownAt < shortestPauseMs) return;
      show(presence);
      shown = text;
      shownAt = monotonic();
    },
    /** For a new session, which starts without a presence. */
    forget() {
      shown = null;
    },
  };
}
