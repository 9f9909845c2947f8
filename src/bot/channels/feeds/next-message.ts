import type { APIEmbed } from 'discord.js';
import {
  deathEmbed,
  digestEmbed,
  isKill,
  missedEmbed,
  type Death,
  type FeedView,
} from '../../../embeds/kill-feed.ts';
import type { Language } from '../../../locales/language.ts';

/** Deaths that are due in a feed, in the order of their ids. */
export interface DueDeaths {
  /** Deaths before the first of `fresh` that are too old to be posted. `through`: the id of the last one. */
  missed: { count: number; onlyKills: boolean; lastAt: number; through: number } | null;
  fresh: readonly Death[];
  /** How long the first of `fresh` has been due, in milliseconds. */
  waitedMs: number;
  /** The servers of the deaths that the feed posted within the last minute. */
  recently: readonly string[];
}

interface NextMessage {
  embed: APIEmbed;
  /** The feed has posted everything up to this id with it. */
  through: number;
  /** The ids of the deaths that it posts. */
  deaths: readonly number[];
}

/**
 * More of one server at once, or within a minute, are posted as a digest, and twice as many of all servers. Discord allows
 * five messages per five seconds.
 */
const mostAtOnce = 4;
const mostPerMinute = 20;
/** A digest is posted when its first death has waited for so long. The rest of a minute is for Discord's limits. */
const digestAfterMs = 40_000;

/** What a feed posts next. A number: nothing for this many milliseconds, unless there are more deaths. */
export function nextMessage(language: Language, view: FeedView, due: DueDeaths): NextMessage | number {
  const { missed, fresh, waitedMs, recently } = due;
  if (missed !== null) {
    return { embed: missedEmbed(language, missed, missed.lastAt), through: missed.through, deaths: [] };
  }
  const [first, ...others] = fresh;
  if (first === undefined) return Infinity;
  if (!areMany(fresh, recently)) {
    return { embed: deathEmbed(language, view, first), through: first.id, deaths: [first.id] };
  }
  if (waitedMs < digestAfterMs) return digestAfterMs - waitedMs;
  const { embed, shown } = digestEmbed(language, view, [first, ...others]);
  const deaths = fresh.slice(0, shown).map(({ id }) => id);
  return { embed, through: deaths.at(-1)!, deaths };
}

/** Each server counts by itself, so that two busy ones do not make each other late. */
function areMany(fresh: readonly Death[], recently: readonly string[]): boolean {
  const isOver = (now: number, before: number, times: number): boolean =>
    now > mostAtOnce * times || now + before > mostPerMinute * times;
  if (isOver(fresh.length, recently.length, 2)) return true;
  return fresh.some(({ serverId }) => {
    const now = fresh.filter((death) => death.serverId === serverId).length;
    return isOver(now, recently.filter((id) => id === serverId).length, 1);
  });
}

/** The text of a message with these deaths, as they are stored by now; null: none of them is kept. */
export function messageOf(language: Language, view: FeedView, deaths: readonly Death[]): APIEmbed | null {
  const [first, ...others] = deaths;
  if (first === undefined) return null;
  if (others.length === 0) return deathEmbed(language, view, first);
  return digestEmbed(language, view, [first, ...others]).embed;
}

export function addMissed(missed: DueDeaths['missed'], death: Death): NonNullable<DueDeaths['missed']> {
  return {
    count: (missed?.count ?? 0) + 1,
    onlyKills: (missed?.onlyKills ?? true) && isKill(death),
    lastAt: Math.max(missed?.lastAt ?? death.at, death.at),
    through: death.id,
  };
}
