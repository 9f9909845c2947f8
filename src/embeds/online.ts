import type { APIEmbed, APIEmbedField } from 'discord-api-types/v10';
import type { Freshness } from '../api/client-types.ts';
import type { OnlinePlayers, Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { colours } from './branding.ts';
import { duration } from './format.ts';
import { embedLimits } from './limits.ts';
import { nameOf, playerName, staleNote } from './shared-texts.ts';
import { facts, inParts, lines, linesWithin, small } from './text.ts';
import { relative } from './timestamps.ts';

/** One player on a game server. Null: unknown. */
export interface Session {
  name: string | null;
  /** Time since the player connected. */
  seconds: number | null;
  /** The player has connected and is probably still loading. */
  isLoading?: boolean;
}

export function alphabetical<T extends { name: string }>(language: Language, players: readonly T[]): T[] {
  const order = new Intl.Collator(language.locale, { sensitivity: 'base', numeric: true });
  return players.toSorted((one, other) => order.compare(one.name, other.name));
}

/** Names, each with the time online: the longest first, then those of whom it is unknown, in alphabetical order. */
export function sessionLines(language: Language, sessions: readonly Session[]): string[] {
  const named = sessions.flatMap(({ name, ...rest }) => (name === null ? [] : [{ name, ...rest }]));
  const longestFirst = alphabetical(language, named).toSorted(
    (one, other) => (other.seconds ?? -1) - (one.seconds ?? -1),
  );
  return longestFirst.map(({ name, seconds, isLoading = false }) => {
    const shown = playerName(language, name);
    if (isLoading) return `${shown} · ${language.t('logged.loading')}`;
    return seconds === null ? shown : `${shown} · ${duration(language, seconds)}`;
  });
}

/** How long players without a name have been online, as one sentence; null: it is unknown. */
export function namelessLine(language: Language, sessions: readonly Session[]): string | null {
  const lengths = sessions
    .flatMap(({ name, seconds }) => (name === null && seconds !== null ? [seconds] : []))
    .toSorted((one, other) => one - other);
  const [shortest] = lengths;
  if (shortest === undefined) return null;
  const text = (seconds: number): string => duration(language, seconds);
  if (lengths.length === 1) return language.t('online.session', { duration: text(shortest) });
  return language.t('online.sessions', {
    shortest: text(shortest),
    median: text(lengths[Math.floor(lengths.length / 2)] as number),
    longest: text(lengths.at(-1) as number),
  });
}

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
function loggedSentences(language: Language, logged: LoggedPlayers, online: number | null): string[] {
  const { players, unnamed = 0, asOf, isComplete } = logged;
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

export interface OnlineView extends Freshness {
  server: Pick<Server, 'id' | 'name'>;
  result: OnlinePlayers;
  /** The players in the server's latest query, if known. */
  live?: { sessions: readonly Session[]; observedAt: number } | null;
  /** Only the player count of the latest check is known. */
  countOnly?: boolean;
  /** Who is on according to the server's log, if known. It is left out if the query itself names players. */
  logged?: LoggedPlayers | null;
}

/** Fields that follow each other look like one column. Five of them name more players than a server has slots. */
const mostFields = 5;

/** Query results this close together list the same players. */
const sameResultMs = 60_000;

/** The players, from the server's query if known, else from the service. */
function sessionsOf({ result, live }: OnlineView): readonly Session[] {
  const isSame = live && Math.abs(live.observedAt - Date.parse(result.observedAt)) <= sameResultMs;
  return isSame ? live.sessions : result.players.map(({ name }) => ({ name, seconds: null }));
}

/** `fit` leaves out a field without names. */
function nameFields(language: Language, names: readonly string[]): APIEmbedField[] {
  const parts = inParts(names, embedLimits.fieldValue);
  const fields = [...parts.slice(0, mostFields - 1), parts.slice(mostFields - 1).flat()];
  return fields.map((part, index) => ({
    name: index === 0 ? language.t('online.names') : '\u200b',
    value: linesWithin(language, part, embedLimits.fieldValue),
  }));
}

/** What needs saying about the count and the list: what is unknown, missing, or different between the two. */
function sentences(
  language: Language,
  { result, countOnly = false }: OnlineView,
  named: number,
  logged: LoggedPlayers | null,
): (string | false)[] {
  const { online, listedPlayers: listed, incompletePlayers } = result;
  const { t } = language;
  if (countOnly && logged === null) return [t('online.listLater')];
  if (online === 0 && listed === 0) return [t('online.nobody')];
  const isUnknown = online === null && t('online.countUnknown');
  if (logged !== null) {
    const count = online ?? (listed > 0 ? listed : null);
    return [count === null && isUnknown, ...loggedSentences(language, logged, count)];
  }
  if (online === null && listed === 0) return [isUnknown];
  const differs = online !== null && online !== listed && listed > 0;
  const nameless = Math.min(incompletePlayers, Math.max(listed - named, 0));
  return [
    isUnknown,
    named === 0 && t('online.noNames'),
    differs && t('online.differs', { online: language.number(online), listed: language.number(listed) }),
    nameless > 0 && named > 0 && t('online.incomplete', { count: nameless }),
  ];
}

/** The players on a server. It mentions every difference between the count and the list. */
export function onlineEmbed(language: Language, view: OnlineView): APIEmbed {
  const { result, server } = view;
  const count = result.online ?? result.listedPlayers;
  const isKnown = result.online !== null || result.listedPlayers > 0;
  const isNobody = result.online === 0 && result.listedPlayers === 0;
  const queried = sessionsOf(view);
  const hasNames = queried.some(({ name }) => name !== null);
  const logged = isNobody || hasNames ? null : (view.logged ?? null);
  const names = sessionLines(language, logged?.players ?? queried);
  const description = lines(
    facts(
      isKnown && language.t('online.count', { count }),
      language.t('status.checked', { when: relative(result.observedAt) }),
    ),
    ...sentences(language, view, names.length, logged),
    !logged?.players?.length && namelessLine(language, queried),
    staleNote(language, view),
  );
  const usual = count > 0 ? colours.online : colours.unknown;
  const color = view.stale ? colours.warning : usual;
  return {
    title: titleOf(language, server),
    description,
    color,
    fields: nameFields(language, names),
  };
}

/** The players on a server that has no query, as its log has them. */
export function loggedOnlineEmbed(
  language: Language,
  { server, logged }: { server: OnlineView['server']; logged: LoggedPlayers },
): APIEmbed {
  const { players, unnamed = 0 } = logged;
  const count = (players?.length ?? 0) + unnamed;
  return {
    title: titleOf(language, server),
    description: lines(
      logged.isComplete && language.t('online.count', { count }),
      loggedSentences(language, logged, null),
    ),
    color: count > 0 ? colours.online : colours.unknown,
    fields: nameFields(language, sessionLines(language, players ?? [])),
  };
}

const titleOf = (language: Language, server: OnlineView['server']): string =>
  `👥 ${language.t('online.title', { server: nameOf(server) })}`;
