import type { APIEmbed } from 'discord-api-types/v10';
import type { Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { accentOf, authorOf, colours, type Branding } from './branding.ts';
import { duration } from './format.ts';
import { serverName } from './status.ts';
import { playerBar } from './server-state.ts';
import { relative } from './timestamps.ts';

/** An alert for members. Times are epoch milliseconds. */
export type Alert =
  /** `lastAnswerAt` is null if unknown. */
  | { kind: 'down'; lastAnswerAt: number | null }
  /** `awayMs` is null if the length of the outage is unknown. */
  | { kind: 'up'; awayMs: number | null }
  | { kind: 'players'; players: number; maxPlayers: number | null }
  | { kind: 'restart'; at: number };

export function alertEmbed(
  language: Language,
  branding: Branding | null,
  server: Pick<Server, 'id' | 'name'>,
  alert: Alert,
): APIEmbed {
  return { ...authorOf(branding), ...textOf(language, branding, serverName(server), alert) };
}

function textOf(
  language: Language,
  branding: Branding | null,
  server: string,
  alert: Alert,
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
        description: language.t('alert.restartAt', { when: relative(alert.at) }),
        color: colours.warning,
      };
  }
}
