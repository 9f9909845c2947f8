import type { APIEmbedField } from 'discord-api-types/v10';
import type { Language } from '../locales/language.ts';
import { duration } from './figures.ts';
import { embedLimits, textLimits } from './limits.ts';
import { foreign, linesWithin } from './text.ts';

/** One player as the game's query lists it. Null: it does not say. */
export interface Session {
  name: string | null;
  /** Connected for so long. */
  seconds: number | null;
}

/** The longest are worth showing where they belong to nobody. */
const shownNameless = 15;

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

/** How long the players who have no names have been on, longest first. Null when that is not known of any. */
export function namelessField(language: Language, sessions: readonly Session[]): APIEmbedField | null {
  const lengths = sessions
    .flatMap(({ name, seconds }) => (name === null && seconds !== null ? [seconds] : []))
    .toSorted((one, other) => other - one);
  if (lengths.length === 0) return null;
  // A length stays on one line.
  const shown = lengths
    .slice(0, shownNameless)
    .map((seconds) => duration(language, seconds).replaceAll(' ', '\u00a0'));
  const rest = lengths.length - shown.length;
  const lines = [shown.join(' · '), ...(rest > 0 ? [language.t('more', { count: rest })] : [])];
  const more = (count: number) => language.t('more', { count });
  return { name: language.t('online.sessions'), value: linesWithin(lines, embedLimits.fieldValue, more) };
}
