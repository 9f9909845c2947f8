import type { Language } from '../locales/language.ts';
import { textLimits } from './limits.ts';
import { escaped } from './text.ts';
import { date, relative } from './timestamps.ts';

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
