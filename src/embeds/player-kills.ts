import type { APIEmbedField } from 'discord-api-types/v10';
import type { PlayerStats } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { cardText, type ShownDeath } from './kill-feed.ts';
import { embedLimits } from './limits.ts';
import { escaped, linesWithin, unbroken } from './text.ts';
import { date, relative } from './timestamps.ts';

/** A player's kills and deaths one by one, the latest first. Moments are epoch milliseconds. */
export interface PlayerKills {
  /** Since when they are kept. */
  since: number;
  kills: readonly (ShownDeath & { at: number })[];
  deaths: readonly (ShownDeath & { at: number })[];
  favouriteWeapon: { name: string; kills: number } | null;
}

const weaponLimit = 60;
/** Kills per hour of a shorter time say nothing. */
const leastPlaySeconds = 3600;

/** Null: unknown. */
export function killsPerDeath(language: Language, { playerKills, deaths }: PlayerStats): string | null {
  return playerKills === null || !deaths ? null : language.number(playerKills / deaths, 2);
}

/** Null: unknown. */
export function killsPerHour(
  language: Language,
  { playerKills, totalPlaySeconds: seconds }: PlayerStats,
): string | null {
  if (playerKills === null || seconds === null || seconds < leastPlaySeconds) return null;
  return language.number(playerKills / (seconds / 3600), 2);
}

export function favouriteLine(language: Language, kills: PlayerKills | null | undefined): string[] {
  if (!kills?.favouriteWeapon) return [];
  const { name, kills: count } = kills.favouriteWeapon;
  const weapon = escaped(name, weaponLimit);
  return weapon === ''
    ? []
    : [`${statLine('🔫', language.t('player.favouriteWeapon'), weapon)}\u00a0(${language.number(count)})`];
}

/** A figure that no narrow screen breaks off the last word of its label. */
export function statLine(sign: string, label: string, value: string): string {
  return `${sign} ${label}\u00a0·\u00a0**${unbroken(value)}**`;
}

/** The latest kills and deaths, with when they were. */
export function killFields(language: Language, { kills, deaths, since }: PlayerKills): APIEmbedField[] {
  const field = (name: string, all: PlayerKills['kills'], part: 'killer' | 'victim'): APIEmbedField[] => {
    if (all.length === 0) return [];
    const lines = all.map((one) => `${cardText(language, one, part)} · ${relative(one.at)}`);
    const value = linesWithin(language, lines, embedLimits.fieldValue);
    return [{ name, value }];
  };
  const when = date(since);
  const fields = [
    ...field(language.t('player.lastKills'), kills, 'killer'),
    ...field(language.t('player.lastDeaths'), deaths, 'victim'),
  ];
  const last = fields.at(-1);
  const note = `\n-# ${language.t('player.killsSince', { when })}`;
  if (last !== undefined && last.value.length + note.length <= embedLimits.fieldValue) last.value += note;
  return fields;
}
