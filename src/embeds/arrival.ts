import type { APIEmbed } from 'discord-api-types/v10';
import type { Language } from '../locales/language.ts';
import { endText, playerName, reasonText } from './shared-texts.ts';
import { colours } from './branding.ts';
import { embedLimits, textLimits } from './limits.ts';
import { killFields, type PlayerKills } from './player-kills.ts';
import { code, escaped, facts, lines, linesWithin, small } from './text.ts';
import { date, relative } from './timestamps.ts';

/** Why a player is watched. Its texts come from members: escape them. */
export interface WatchReason {
  reason: string | null;
  /** Discord id of the moderator. */
  addedBy: string;
  /** Epoch milliseconds. */
  addedAt: number;
}

/** A ban in force. */
interface ArrivalBan {
  /** The name of the list. */
  list: string;
  reason: string | null;
  /** Epoch milliseconds; null: permanent. */
  expiresAt: number | null;
}

/** Somebody came on a server, with what a message may say about it. */
export interface Arrival {
  name: string;
  /** Null: for moderators only, or unknown. */
  identifier: string | null;
  /** Epoch milliseconds. */
  at: number;
  /** Null: not watched. */
  watched: WatchReason | null;
  /** The player whose name this player uses for the first time is watched. */
  namesakeOf: WatchReason | null;
  /** The former name, if the player has a new one. */
  nameBefore: string | null;
  bans: readonly ArrivalBan[];
  /** Null: not for this message. */
  kills: PlayerKills | null;
}

const nameLimit = 60;

/** The message about one arrival. @param server its name */
export function arrivalEmbed(language: Language, server: string, arrival: Arrival): APIEmbed {
  const { watched, namesakeOf, nameBefore, identifier, bans, kills } = arrival;
  const entry = watched ?? namesakeOf;
  const title =
    watched !== null ? 'watched' : namesakeOf !== null ? 'namesake' : bans.length > 0 ? 'banned' : 'new';
  const banLines = bans.map(({ list, reason, expiresAt }) =>
    facts(serverText(list), reasonText(language, reason), endText(language, expiresAt)),
  );
  const inForce = linesWithin(language, banLines, embedLimits.fieldValue);
  const player = playerName(language, arrival.name);
  return {
    title: language.t(`arrival.${title}`, { player, server: serverText(server) }),
    description: lines(
      language.t('arrival.came', { when: relative(arrival.at) }),
      identifier !== null && code(identifier),
      nameBefore !== null && language.t('arrival.nameBefore', { player: escaped(nameBefore, nameLimit) }),
      namesakeOf !== null && language.t('arrival.namesakeOf'),
      entry !== null && [
        language.t('arrival.watchedWhy', { reason: reasonText(language, entry.reason) }),
        addedLine(language, entry.addedBy, entry.addedAt),
      ],
    ),
    color: title === 'new' ? colours.online : title === 'banned' ? colours.offline : colours.warning,
    fields: [
      { name: language.t('bans.active'), value: inForce },
      ...(kills === null ? [] : killFields(language, kills)),
    ],
  };
}

export function newPlayersEmbed(
  language: Language,
  arrivals: readonly (Pick<Arrival, 'name' | 'at'> & { server: string })[],
): APIEmbed {
  const servers = new Set(arrivals.map(({ server }) => serverText(server)));
  const [only] = servers.size === 1 ? servers : [];
  const players = arrivals.map((arrival) => {
    const player = playerName(language, arrival.name);
    const when = relative(arrival.at);
    if (only !== undefined) return `${player} · ${when}`;
    return language.t('arrival.newLine', { player, server: serverText(arrival.server), when });
  });
  const title = language.t('arrival.newMany', { count: arrivals.length });
  return {
    title: only === undefined ? title : `${title} · ${only}`,
    description: linesWithin(language, players, embedLimits.description),
    color: colours.online,
  };
}

export const serverText = (name: string): string => escaped(name, textLimits.serverName) || '?';

/** Who wrote an entry. In embeds nobody is notified. */
export const addedLine = (language: Language, addedBy: string, addedAt: number): string =>
  small(language.t('arrival.by', { member: `<@${addedBy}>`, when: date(addedAt) }));
