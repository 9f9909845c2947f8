import type { Ban, Banlist } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { textLimits } from './limits.ts';
import { escaped } from './text.ts';
import { date, relative } from './timestamps.ts';

/** Name of a list in markdown, never empty. */
export function listName(list: Pick<Banlist, 'id' | 'name'>): string {
  return escaped(list.name, textLimits.serverName) || escaped(list.id, textLimits.serverName) || '?';
}

/** The end of a ban. */
export function endText(language: Language, ban: Ban): string {
  if (ban.expiresAt === null) return language.t('bans.permanent');
  return language.t('bans.until', { date: date(ban.expiresAt), when: relative(ban.expiresAt) });
}

/** The reason of a ban; never empty. */
export function reasonText(language: Language, ban: Ban): string {
  return escaped(ban.reason ?? '', textLimits.reason) || language.t('bans.noReason');
}

/** The start of a ban; empty if unknown. */
export function sinceText(language: Language, ban: Ban): string[] {
  return ban.startsAt === null ? [] : [language.t('bans.since', { date: date(ban.startsAt) })];
}
