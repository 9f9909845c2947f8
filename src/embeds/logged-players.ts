import type { Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { playerName } from './notes.ts';
import { alphabetical, type Session } from './sessions.ts';
import { lines, linesWithin, small } from './text.ts';
import { relative } from './timestamps.ts';

/** Who is on a server according to its log. */
export interface LoggedPlayers {
  /** Null: the log has been silent for so long that who is online now is unknown. */
  players: readonly (Session & { name: string })[] | null;
  /** How many others are on whose names are not shown; left out: none. */
  unnamed?: number | undefined;
  /** When the log was last updated, epoch milliseconds. */
  asOf: number;
  /** False: part of the log is missing, so others may be online, too. */
  isComplete: boolean;
}

/** How many are on by the log; null: it does not say. */
export function loggedCount({ players, unnamed = 0, isComplete }: LoggedPlayers): number | null {
  return isComplete && players !== null ? players.length + unnamed : null;
}

/** What the log knows beside the count of the query. `online`: the query's count; null: unknown. */
export function loggedSentences(
  language: Language,
  { players, unnamed = 0, asOf, isComplete }: LoggedPlayers,
  online: number | null,
): string[] {
  const when = relative(asOf);
  if (players === null) return [language.t('logged.silent', { when })];
  const isSame = online === null || online === players.length + unnamed;
  const named = language.number(players.length);
  return [
    isSame
      ? language.t('logged.asOf', { when })
      : language.t('logged.differs', { online: language.number(online), named, when }),
    ...(isComplete ? [] : [language.t('logged.incomplete')]),
  ];
}

/**
 * Names for a status: those of the query, or those of the log with its age. Empty if there is nothing to say. It changes
 * only when somebody joins or leaves.
 */
export function statusNames(
  language: Language,
  server: Pick<Server, 'status' | 'players'>,
  players: LoggedPlayers | readonly { name: string }[],
  max: number,
): string {
  if (server.status === 'OFFLINE' || server.players === 0) return '';
  if (!('asOf' in players)) return nameList(language, players, max);
  const source = lines(loggedSentences(language, players, server.players).map(small));
  const names = nameList(language, players.players ?? [], max - source.length - 1);
  return lines(names !== '' && names, source);
}

/** The names in alphabetical order, separated by commas, in at most `max` characters. */
export function nameList(language: Language, players: readonly { name: string }[], max: number): string {
  const names = alphabetical(language, players).map(({ name }) => playerName(language, name));
  return linesWithin(language, names, max, 0, ', ');
}
