import type { Banlist } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { textLimits } from './limits.ts';
import { escaped } from './text.ts';
import { date, relative } from './timestamps.ts';

/** Name of a list in markdown, never empty. */
export function listName(list: Pick<Banlist, 'id' | 'name'>): string {
  return escaped(list.name, textLimits.serverName) || escaped(list.id, textLimits.serverName) || '?';
}

/** The end of a ban. */
export const endText = (language: Language, { expiresAt }: { expiresAt: number | string | null }): string =>
  expiresAt === null ? language.t('bans.permanent') : untilText(language, expiresAt);

/** The end of what ends, in epoch milliseconds or RFC 3339. */
export const untilText = (language: Language, expiresAt: number | string): string =>
  language.t('bans.until', { date: date(expiresAt), when: relative(expiresAt) });

/** The reason of a ban or of an entry of the watch list; never empty. */
export function reasonText(language: Language, { reason }: { reason: string | null }): string {
  return escaped(reason ?? '', textLimits.reason) || language.t('bans.noReason');
}

/** The start of a ban; empty if unknown. */
export function sinceText(language: Language, ban: { startsAt: string | null }): string[] {
  return ban.startsAt === null ? [] : [language.t('bans.since', { date: date(ban.startsAt) })];
}
