import type { APIEmbed } from 'discord-api-types/v10';
import type { Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { accentOf, authorOf, colours, type Branding } from './branding.ts';
import { duration } from './format.ts';
import { serverName } from './status.ts';
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
  return { ...authorOf(branding), ...textOf(language, branding, serverName(server), alert) };
}

function textOf(
  language: Language,
  branding: Branding | null,
  server: string,
  alert: Alert | EndedAlert,
): Pick<APIEmbed, 'title' | 'description' | 'color'> {
  switch (alert.kind) {
    case 'down':
      return {
        title: language.t('alert.down', { server }),
        description:
          alert.lastAnswerAt === null
            ? language.t('status.offline')
            : language.t('alert.downSince', { when: relative(alert.lastAnswerAt) }),
        color: colours.offline,
      };
    case 'up':
      return {
        title: language.t('alert.up', { server }),
        ...(alert.awayMs !== null && {
          description: language.t('alert.upAfter', { duration: duration(language, alert.awayMs / 1000) }),
        }),
        color: colours.online,
      };
    case 'players': {
      const { players, maxPlayers } = alert;
      const bar = maxPlayers
        ? [`${playerBar(players, maxPlayers)} ${language.number(players)} / ${language.number(maxPlayers)}`]
        : [];
      const isFull = maxPlayers !== null && players >= maxPlayers;
      return {
        title: language.t('alert.players', { server, count: players }),
        description: [...bar, language.t(isFull ? 'status.full' : 'alert.playersNext')].join(
          isFull ? ' · ' : '\n',
        ),
        color: accentOf(branding, colours.gold),
      };
    }
    case 'restart':
      return {
        title: language.t('alert.restart', { server }),
        description: language.t('alert.restartAt', { when: relative(alert.at), time: clock(alert.at) }),
        color: colours.warning,
      };
    case 'wasDown':
      return {
        title: language.t('alert.wasDown', { server }),
        description: outageText(language, alert),
        color: colours.unknown,
      };
    case 'playersLeft':
      return {
        title: language.t('alert.playersLeft', { server, count: alert.players }),
        description: spanText(alert.from, alert.until),
        color: colours.unknown,
      };
    case 'restarted':
      return {
        title: language.t('alert.restarted', { server }),
        description: language.t('alert.restartedAt', { when: clock(alert.at) }),
        color: colours.unknown,
      };
  }
}

function outageText({ t }: Language, { from, until }: { from: number | null; until: number | null }): string {
  if (until === null) return t('alert.isBack');
  return from === null ? t('alert.backSince', { when: clock(until) }) : spanText(from, until);
}

/** `18:05 – 19:40`, with dates if it is a day or more. */
function spanText(from: number, until: number): string {
  const text = until - from < 86_400_000 ? clock : dateAndTime;
  return `**${text(from)} – ${text(until)}**`;
}
