import type { APIEmbed } from 'discord-api-types/v10';
import type { Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { accentOf, authorOf, colours, type Branding } from './branding.ts';
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

export function alertEmbed(
  language: Language,
  branding: Branding | null,
  server: Pick<Server, 'id' | 'name'>,
  alert: Alert | EndedAlert,
): APIEmbed {
  const count = 'players' in alert ? alert.players : 0;
  return {
    ...authorOf(branding),
    title: language.t(`alert.${alert.kind}`, { server: nameOf(server), count }),
    color: colours.unknown,
    ...lookOf(language, branding, alert),
  };
}

/** What an alert says below its title, and its colour; without one it is over. */
function lookOf(
  language: Language,
  branding: Branding | null,
  alert: Alert | EndedAlert,
): Pick<APIEmbed, 'description' | 'color'> {
  const { t } = language;
  switch (alert.kind) {
    case 'down': {
      const { lastAnswerAt: at } = alert;
      const description = at === null ? t('status.offline') : t('alert.downSince', { when: relative(at) });
      return { description, color: colours.offline };
    }
    case 'up': {
      const { awayMs } = alert;
      const away = duration(language, (awayMs ?? 0) / 1000);
      const description = awayMs === null ? '' : t('alert.upAfter', { duration: away });
      return { description, color: colours.online };
    }
    case 'players': {
      const { players, maxPlayers } = alert;
      const color = accentOf(branding, colours.gold);
      if (!maxPlayers) return { description: t('alert.playersNext'), color };
      const bar = `${playerBar(players, maxPlayers)} ${language.number(players)} / ${language.number(maxPlayers)}`;
      const isFull = players >= maxPlayers;
      const next = isFull ? ` · ${t('status.full')}` : `\n${t('alert.playersNext')}`;
      return { description: `${bar}${next}`, color };
    }
    case 'restart': {
      const description = t('alert.restartAt', { when: relative(alert.at), time: clock(alert.at) });
      return { description, color: colours.warning };
    }
    case 'wasDown': {
      const { from, until } = alert;
      if (until === null) return { description: t('alert.isBack') };
      if (from === null) return { description: t('alert.backSince', { when: clock(until) }) };
      return { description: spanText(from, until) };
    }
    case 'playersLeft':
      return { description: spanText(alert.from, alert.until) };
    case 'restarted':
      return { description: t('alert.restartedAt', { when: clock(alert.at) }) };
  }
}

/** `18:05 – 19:40`, with dates if it is a day or more. */
function spanText(from: number, until: number): string {
  const text = until - from < 86_400_000 ? clock : dateAndTime;
  return `**${text(from)} – ${text(until)}**`;
}
