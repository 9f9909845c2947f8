import type { Language } from '../locales/language.ts';
import { duration } from './format.ts';
import { textLimits } from './limits.ts';
import { foreign } from './text.ts';

/** One player as the game's query lists it. Null: it does not say. */
export interface Session {
  name: string | null;
  /** Connected for so long. */
  seconds: number | null;
}

/** Names in alphabetical order of the language, those in which nothing is visible as a placeholder. */
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

/** How long the players without a name have been on, as one sentence. Null when that is not known of any. */
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
