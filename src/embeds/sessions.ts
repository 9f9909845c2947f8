import type { Language } from '../locales/language.ts';
import { duration } from './format.ts';
import { textLimits } from './limits.ts';
import { foreign } from './text.ts';

/** One player in the game server's query. Null: unknown. */
export interface Session {
  name: string | null;
  /** Time since the player connected. */
  seconds: number | null;
}

/** Names in the language's alphabetical order. A placeholder replaces names without visible characters. */
export function sessionLines(language: Language, sessions: readonly Session[]): string[] {
  const order = new Intl.Collator(language.locale, { sensitivity: 'base', numeric: true });
  return sessions
    .flatMap(({ name, seconds }) => (name === null ? [] : [{ name, seconds }]))
    .toSorted((one, other) => order.compare(one.name, other.name))
    .map(({ name, seconds }) => {
      const shown = foreign(name, textLimits.name) || language.t('player.nameless');
      return seconds === null ? shown : `${shown} · ${duration(language, seconds)}`;
    });
}

/** How long players without a name have been online, as one sentence. Null if unknown. */
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
