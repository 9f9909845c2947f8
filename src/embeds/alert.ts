import type { APIEmbed } from 'discord-api-types/v10';
import type { Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { colours } from './branding.ts';
import { duration } from './format.ts';
import { nameOf } from './shared-texts.ts';
import { playerBar } from './server-state.ts';
import { clock, dateAndTime, relative } from './timestamps.ts';

/** An alert for members. Times are epoch milliseconds. */
export type Alert =
  /** `lastAnswerAt` is null if unknown. */
  | { kind: 'down'; lastAnswerAt: number | null }
  /** `awayMs` is null if the length of the outage is unknown. */
  | { kind: 'up'; awayMs: number | null }
  | { kind: 'players'; players: number; maxPlayers: number | null }
  | { kind: 'restart'; at: number };

/** What the message of an alert says once that is over. Times are epoch milliseconds, or null if unknown. */
export type EndedAlert =
  | { kind: 'wasDown'; from: number | null; until: number | null }
  | { kind: 'playersLeft'; players: number; from: number; until: number }
  | { kind: 'restarted'; at: number };

/** An invitation has the colour of the project, and what is over is grey. */
const alertColours = {
  down: colours.offline,
  up: colours.online,
  restart: colours.warning,
  wasDown: colours.unknown,
  playersLeft: colours.unknown,
  restarted: colours.unknown,
} as const;

export function alertEmbed(
  language: Language,
  server: Pick<Server, 'id' | 'name'>,
  alert: Alert | EndedAlert,
): APIEmbed {
  const count = 'players' in alert ? alert.players : 0;
  return {
    title: language.t(`alert.${alert.kind}`, { server: nameOf(server), count }),
    description: textOf(language, alert),
    ...(alert.kind !== 'players' && { color: alertColours[alert.kind] }),
  };
}

/** What an alert says below its title. */
function textOf(language: Language, alert: Alert | EndedAlert): string {
  const { t } = language;
  switch (alert.kind) {
    case 'down': {
      const { lastAnswerAt: at } = alert;
      return at === null ? t('status.offline') : t('alert.downSince', { when: relative(at) });
    }
    case 'up': {
      const { awayMs } = alert;
      return awayMs === null ? '' : t('alert.upAfter', { duration: duration(language, awayMs / 1000) });
    }
    case 'players': {
      const { players, maxPlayers } = alert;
      if (!maxPlayers) return t('alert.playersNext');
      const bar = `${playerBar(players, maxPlayers)} ${language.number(players)} / ${language.number(maxPlayers)}`;
      return players >= maxPlayers ? `${bar} · ${t('status.full')}` : `${bar}\n${t('alert.playersNext')}`;
    }
    case 'restart':
      return t('alert.restartAt', { when: relative(alert.at), time: clock(alert.at) });
    case 'wasDown': {
      const { from, until } = alert;
      if (until === null) return t('alert.isBack');
      return from === null ? t('alert.backSince', { when: clock(until) }) : spanText(from, until);
    }
    case 'playersLeft':
      return spanText(alert.from, alert.until);
    case 'restarted':
      return t('alert.restartedAt', { when: clock(alert.at) });
  }
}

/** `18:05 – 19:40`, with dates if it is a day or more. */
function spanText(from: number, until: number): string {
  const text = until - from < 86_400_000 ? clock : dateAndTime;
  return `**${text(from)} – ${text(until)}**`;
}
