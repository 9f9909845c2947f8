import type { APIEmbed } from 'discord-api-types/v10';
import { type DeathCause, type HowKilled, longShotMeters } from '../api/death-causes.ts';
import type { Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { colours } from './branding.ts';
import { formatMetric } from './format.ts';
import { textLimits } from './limits.ts';
import { mapUrl } from './maps.ts';
import { nameOf, playerName } from './shared-texts.ts';
import { escaped, facts, lines, plain, small, unbroken } from './text.ts';
import { clock } from './timestamps.ts';

/** A death of a player, as a game server's log reports it. */
export interface Death extends HowKilled {
  /** Grows with every stored death, and never changes. */
  id: number;
  serverId: string;
  /** When it happened, by the log. Epoch milliseconds. */
  at: number;
  /** When it was stored. Epoch milliseconds. */
  storedAt: number;
  /** How late a provider may hand over what the log says, without anything being wrong. Milliseconds; left out: 0. */
  lateByMs?: number | undefined;
  /** Names come from the log. Null: the log has none. */
  victim: { name: string | null };
  /** The player who killed the victim; null: no player, or unknown. */
  killer: { name: string | null } | null;
  cause: DeathCause;
  /** The weapon's name in the game. */
  weapon: string | null;
  meters: number | null;
  /** Where the victim died, in metres from the terrain's south-west corner. Null: not stored. */
  position: { east: number; north: number } | null;
  /** The killer's kills without dying, this one included; null: unknown. */
  streak: number | null;
  /** The victim's kills without dying until now; null: unknown. */
  endedStreak: number | null;
  /** Set: the longest shot on the server in the running season, or month. Null or left out: it is not. */
  record?: 'season' | 'month' | null;
}

/** What the text of a death says. */
export type ShownDeath = Pick<Death, keyof HowKilled | 'victim' | 'killer' | 'cause' | 'weapon' | 'meters'>;

export interface FeedView {
  /** The feed's servers by id, as far as they are known. */
  servers: ReadonlyMap<string, Pick<Server, 'id' | 'name' | 'map'>>;
  /** Names the server of each death. */
  withServer: boolean;
  withPositions: boolean;
}

/** Deaths that were not posted, because they were too old when they became known. */
export interface MissedDeaths {
  count: number;
  /** All of them are kills by players. */
  onlyKills: boolean;
  /** When the last of them happened. Epoch milliseconds. */
  lastAt: number;
}

const weaponLimit = 60;
/** The most characters of a digest's list. Discord allows 4096. */
const digestLimit = 3_900;
/** Discord's, for a message without an embed. */
const contentLimit = 2_000;
/** A feed names streaks from three kills on, as docs/bot.md says. */
const leastStreak = 3;

/** A kill in a streak of five or more is golden. */
const goldenStreak = 5;

interface Look {
  sign: string;
  color: number;
}

/**
 * Signs are emoji that phones of 2019 know, and none that is black or white alone: one of Discord's themes would swallow
 * it. Colours of kills are warm, the hotter the farther away; those of the wilderness are not.
 */
const causeLooks = {
  player: { sign: '🔫', color: colours.offline },
  self: { sign: '💀', color: colours.unknown },
  suicide: { sign: '💀', color: colours.unknown },
  ai: { sign: '🤖', color: 0x5d8aa8 },
  infected: { sign: '🧟', color: 0x5b8c3a },
  animal: { sign: '🐺', color: 0x8d6e63 },
  vehicle: { sign: '🚗', color: 0x3498db },
  fall: { sign: '🪂', color: 0x48a9c5 },
  explosion: { sign: '💥', color: 0xff7a18 },
  trap: { sign: '⚠️', color: 0xc7962c },
  fire: { sign: '🔥', color: 0xff7a18 },
  drowned: { sign: '🌊', color: 0x2471a3 },
  'bled-out': { sign: '🩸', color: 0x922b3e },
  died: { sign: '💀', color: colours.unknown },
  other: { sign: '💀', color: colours.unknown },
} as const satisfies Record<DeathCause, Look>;

const weaponLooks = {
  fists: { sign: '👊', color: 0xb9770e },
  blunt: { sign: '🔨', color: 0xa0643c },
  blade: { sign: '🔪', color: 0xb03a6f },
  bow: { sign: '🏹', color: 0x2e9e6b },
  pistol: { sign: '🔫', color: 0xe67e22 },
  rifle: { sign: '🎯', color: colours.offline },
  explosive: causeLooks.explosion,
} as const satisfies Record<NonNullable<HowKilled['weaponKind']>, Look>;

const longShot: Look = { sign: '🦅', color: 0x9b59d0 };

const isShot = ({ weaponKind }: HowKilled): boolean =>
  weaponKind === 'bow' || weaponKind === 'pistol' || weaponKind === 'rifle';

function lookOf(death: ShownDeath): Look {
  if (!isKill(death)) return causeLooks[death.cause];
  if ((death.meters ?? 0) >= longShotMeters && death.weaponKind !== 'explosive') return longShot;
  return death.weaponKind === null ? causeLooks.player : weaponLooks[death.weaponKind];
}

export const isKill = ({ cause, killer }: Pick<Death, 'cause' | 'killer'>): boolean =>
  cause === 'player' || killer !== null;

/** Which text says the cause of a death without a killer. */
const causeText = ({ cause }: ShownDeath) => (cause === 'other' || cause === 'player' ? 'died' : cause);

/** @param unnamed the text for a player without a name: unknown, hidden or forgotten */
function nameIn(language: Language, name: string | null, unnamed: 'somePlayer' | 'somePlayerKilled'): string {
  if (name === null) return language.t(`feed.${unnamed}`);
  return `**${playerName(language, name)}**`;
}

/** The killer's name, or "Someone" where the log names no killer. */
function killerName(language: Language, killer: ShownDeath['killer']): string {
  return killer === null ? language.t('feed.unknownKiller') : nameIn(language, killer.name, 'somePlayer');
}

/**
 * A death on the card of a player who has part in it, whose name it leaves out: `🎯 → victim · weapon · 75.6 m`. A death
 * without a killer says what happened: `🪂 Fell`.
 */
export function cardText(language: Language, death: ShownDeath, part: 'killer' | 'victim'): string {
  const { sign } = lookOf(death);
  const how = howTexts(language, death);
  if (!isKill(death)) return facts(`${sign} ${language.t(`player.death.${causeText(death)}`)}`, how);
  const other =
    part === 'killer'
      ? `→ ${nameIn(language, death.victim.name, 'somePlayerKilled')}`
      : `← ${killerName(language, death.killer)}`;
  return facts(`${sign} ${other}`, how);
}

function whatHappened(language: Language, death: ShownDeath): string {
  const { name } = death.victim;
  const text = isKill(death)
    ? language.t('feed.kill', {
        killer: killerName(language, death.killer),
        victim: nameIn(language, name, 'somePlayerKilled'),
      })
    : language.t(`feed.cause.${causeText(death)}`, { victim: nameIn(language, name, 'somePlayer') });
  return `${lookOf(death).sign} ${text}`;
}

const serverNameOf = ({ servers }: FeedView, { serverId }: Death): string =>
  servers.get(serverId)?.name ?? serverId;

function positionText(language: Language, view: FeedView, death: Death): string | null {
  if (!view.withPositions || death.position === null) return null;
  const { east, north } = death.position;
  const url = mapUrl(view.servers.get(death.serverId)?.map ?? null, { east, north });
  return url === null
    ? unbroken(`📍 ${Math.round(east)} / ${Math.round(north)}`)
    : `📍\u00a0[${language.t('status.map')}](${url})`;
}

/** The weapon, the distance, and whether a shot hit the head. Only shots are headshots: a bat to the head is not named. */
function howTexts(language: Language, death: ShownDeath): string[] {
  return [
    escaped(death.weapon ?? '', weaponLimit),
    death.meters === null ? '' : formatMetric(language, 'meters', death.meters),
    isKill(death) && death.isHeadshot && isShot(death) ? `**${language.t('feed.headshot')}**` : '',
  ].map(unbroken);
}

const isRecord = (death: Death): boolean => !!death.record && death.weaponKind !== 'explosive';

/** What makes a death stand out; empty: nothing. */
function highlights(language: Language, death: Death): string {
  const { streak, endedStreak, record } = death;
  const longest = record === 'season' ? 'feed.recordOfSeason' : 'feed.recordOfMonth';
  return facts(
    isRecord(death) && `🏆 ${language.t(longest)}`,
    streak !== null && streak >= leastStreak && language.t('feed.streak', { count: streak }),
    endedStreak !== null &&
      endedStreak >= leastStreak &&
      language.t('feed.endedStreak', { count: endedStreak }),
  );
}

const isGolden = (death: Death): boolean => (death.streak ?? 0) >= goldenStreak || isRecord(death);

export function deathEmbed(language: Language, view: FeedView, death: Death): APIEmbed {
  const server = plain(serverNameOf(view, death), textLimits.serverName);
  const remarks = highlights(language, death);
  return {
    description: lines(
      facts(whatHappened(language, death), howTexts(language, death), positionText(language, view, death)),
      remarks !== '' && small(remarks),
    ),
    color: isGolden(death) ? colours.gold : lookOf(death).color,
    timestamp: new Date(death.at).toISOString(),
    footer: { text: view.withServer ? server : '' },
  };
}

/** `**Anna** 🎯 **Bert** · M4-A1 · 75.6 m`, as feeds of games have it. */
function lineOf(language: Language, view: FeedView, death: Death): string {
  const { killer, victim } = death;
  return facts(
    isKill(death)
      ? `${killerName(language, killer)} ${lookOf(death).sign} ${nameIn(language, victim.name, 'somePlayer')}`
      : whatHappened(language, death),
    howTexts(language, death),
    positionText(language, view, death),
    highlights(language, death),
  );
}

/**
 * As many of these deaths as fit into one message, and how many those are: at least one. Deaths on several servers stand
 * below the name of their server.
 */
export function digestEmbed(
  language: Language,
  view: FeedView,
  deaths: readonly [Death, ...Death[]],
): { embed: APIEmbed; shown: number } {
  const byServer = new Map<string, string[]>();
  let count = 0;
  let length = 0;
  for (const death of deaths) {
    const { serverId: id } = death;
    const line = `${clock(death.at)} ${lineOf(language, view, death)}`;
    const known = byServer.get(id);
    const name = nameOf({ id, name: serverNameOf(view, death) });
    const added = view.withServer && known === undefined ? [`**${name}**`, line] : [line];
    const addedLength = lines(added).length + 1;
    if (count > 0 && length + addedLength > digestLimit) break;
    byServer.set(id, [...(known ?? []), ...added]);
    length += addedLength;
    count += 1;
  }
  const shown = deaths.slice(0, count);
  const title = shown.every(isKill) ? 'feed.kills' : 'feed.deaths';
  const embed = {
    title: language.t(title, { count }),
    description: lines(...byServer.values()),
    color: shown.some(isGolden) ? colours.gold : colours.offline,
    timestamp: new Date(shown.at(-1)!.at).toISOString(),
  };
  return { embed, shown: count };
}

/** As many of these deaths as fit into one message without an embed, a line each, and how many those are: at least one. */
export function compactEmbed(
  language: Language,
  view: FeedView,
  deaths: readonly [Death, ...Death[]],
): { embed: APIEmbed; shown: number } {
  const texts = deaths.map((death) => {
    const server = view.withServer && nameOf({ id: death.serverId, name: serverNameOf(view, death) });
    return facts(lineOf(language, view, death), server);
  });
  let shown = texts.length;
  while (shown > 1 && lines(texts.slice(0, shown)).length > contentLimit) shown -= 1;
  return { embed: { description: lines(texts.slice(0, shown)) }, shown };
}

export function missedEmbed(language: Language, { count, onlyKills, lastAt }: MissedDeaths): APIEmbed {
  const text = language.t(onlyKills ? 'feed.missedKills' : 'feed.missedDeaths', { count });
  return { description: `⏳ ${text}`, color: colours.unknown, timestamp: new Date(lastAt).toISOString() };
}
