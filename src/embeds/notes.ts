import type { Language } from '../locales/language.ts';
import { textLimits } from './limits.ts';
import { escaped } from './text.ts';
import { relative } from './timestamps.ts';

/** A player's name in markdown. A placeholder replaces names without visible characters. */
export function playerName(language: Language, name: string | null): string {
  return escaped(name ?? '', textLimits.name) || language.t('player.nameless');
}

/** The answer of the service is an earlier one; empty if it is not. */
export function staleNote(
  language: Language,
  { stale, receivedAt }: { stale: boolean; receivedAt: number },
): string[] {
  return stale ? [language.t('stale', { when: relative(receivedAt) })] : [];
}

/** How many entries are not shown; empty if all are. */
export function moreNote(language: Language, count: number): string[] {
  return count > 0 ? [language.t('more', { count })] : [];
}

/** `Page 2 / 5`. */
export function pageNote(language: Language, page: number, pages: number): string {
  return language.t('page', { page: language.number(page), pages: language.number(pages) });
}
