import type { Freshness } from '../api/client-types.ts';
import type { Language } from '../locales/language.ts';
import { textLimits } from './limits.ts';
import { escaped } from './text.ts';
import { date, relative } from './timestamps.ts';

/** A player's name in markdown. A placeholder replaces names without visible characters. */
export function playerName(language: Language, name: string | null): string {
  return escaped(name ?? '', textLimits.name) || language.t('player.nameless');
}

/** The name of a server or a ban list in markdown, never empty: its id replaces a name without visible characters. */
export function nameOf(
  { id, name }: { id: string; name: string },
  max: number = textLimits.serverName,
): string {
  return escaped(name, max) || escaped(id, max) || '?';
}

/** Says that the service's answer is an earlier one; null: it is not. */
export function staleNote(language: Language, { stale, receivedAt }: Freshness): string | null {
  return stale ? language.t('stale', { when: relative(receivedAt) }) : null;
}

/** How many entries are not shown; null: all are. */
export function moreNote(language: Language, count: number): string | null {
  return count > 0 ? language.t('more', { count }) : null;
}

/** `Page 2 / 5`. */
export function pageNote(language: Language, page: number, pages: number): string {
  return language.t('page', { page: language.number(page), pages: language.number(pages) });
}

/** The end of a ban, in epoch milliseconds or RFC 3339; null: it is permanent. */
export const endText = (language: Language, expiresAt: number | string | null): string =>
  expiresAt === null ? language.t('bans.permanent') : untilText(language, expiresAt);

/** The end of a ban or of an entry of the watch list. */
export const untilText = (language: Language, expiresAt: number | string): string =>
  language.t('bans.until', { date: date(expiresAt), when: relative(expiresAt) });

/** The reason of a ban or of an entry of the watch list; never empty. */
export const reasonText = (language: Language, reason: string | null): string =>
  escaped(reason ?? '', textLimits.reason) || language.t('bans.noReason');

/** The start of a ban; null: it is unknown. */
export const sinceText = (language: Language, startsAt: string | null): string | null =>
  startsAt === null ? null : language.t('bans.since', { date: date(startsAt) });
