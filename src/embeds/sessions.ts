import type { Language } from '../locales/language.ts';
import { duration } from './format.ts';
import { playerName } from './notes.ts';

/** One player on a game server. Null: unknown. */
export interface Session {
  name: string | null;
  /** Time since the player connected. */
  seconds: number | null;
  /** The player has connected and is probably still loading. */
  isLoading?: boolean;
}

/** Sorts by name in the language's alphabetical order. */
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
