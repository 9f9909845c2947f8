import { hasPlayerRules } from '../../../bot/channels/watch/player-alert.ts';
import type { Config, DiscordConfig } from '../../../config/schema.ts';
import { about, type Finding } from '../finding.ts';
import { withoutLogs } from './kill-feed-checks.ts';

/** Whether each alert about players has logs that say who comes on. */
export function checkPlayerAlerts({ discord, projects }: Pick<Config, 'discord' | 'projects'>): Finding[] {
  return (discord?.alerts ?? []).flatMap((alert, place) => {
    if (!hasPlayerRules(alert)) return [];
    const { warning } = about(`discord.alerts[${place}]`, `alert in channel ${alert.channelId}`);
    return withoutLogs(projects, alert.servers).map((id) =>
      warning(
        `server ${id} has no logs, so it is not known who comes on`,
        `set logs of ${id}, or take it out of the alert`,
      ),
    );
  });
}

/** A bot that reads another service is not told who joins a game server. */
export function checkRemoteAlerts({ alerts }: Pick<DiscordConfig, 'alerts'>): Finding[] {
  return alerts.some(hasPlayerRules) ? [remotePlayerAlerts] : [];
}

const remotePlayerAlerts = about('discord.alerts', 'alerts about players').warning(
  'the bot reads a service elsewhere, which does not say who comes on',
  'set watched, banned and newPlayers up with the bot of that service',
);
