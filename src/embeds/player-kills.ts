import type { APIEmbedField } from 'discord-api-types/v10';
import type { Language } from '../locales/language.ts';
import { cardText, type ShownDeath } from './kill-feed.ts';
import { embedLimits } from './limits.ts';
import { facts, linesWithin, small } from './text.ts';
import { date, relative } from './timestamps.ts';

/** A player's kills and deaths one by one, the latest first. Moments are epoch milliseconds. */
export interface PlayerKills {
  /** Since when they are kept. */
  since: number;
  kills: readonly (ShownDeath & { at: number })[];
  deaths: readonly (ShownDeath & { at: number })[];
  favouriteWeapon: { name: string; kills: number } | null;
}

/** The latest kills and deaths, with when they were. */
export function killFields(language: Language, { kills, deaths, since }: PlayerKills): APIEmbedField[] {
  const field = (
    name: 'lastKills' | 'lastDeaths',
    all: PlayerKills['kills'],
    part: 'killer' | 'victim',
  ): APIEmbedField[] => {
    if (all.length === 0) return [];
    const shown = all.map((one) => facts(cardText(language, one, part), relative(one.at)));
    const value = linesWithin(language, shown, embedLimits.fieldValue);
    return [{ name: language.t(`player.${name}`), value }];
  };
  const fields = [...field('lastKills', kills, 'killer'), ...field('lastDeaths', deaths, 'victim')];
  const last = fields.at(-1);
  const note = `\n${small(language.t('player.killsSince', { when: date(since) }))}`;
  if (last !== undefined && last.value.length + note.length <= embedLimits.fieldValue) last.value += note;
  return fields;
}
