/**
 * When the bot may log in to Discord's gateway (IDENTIFY). Discord allows 1,000 logins a day and resets the token of a bot
 * that needs more. A supervisor that restarts a crashing process would reach that within the hour. So the pauses after
 * crashes grow, a day with many logins has pauses as well, and the last hundred logins are never used. A RESUME is no login.
 */

import { backOffMs } from '../../process/back-off.ts';

/** `session_start_limit` of `GET /gateway/bot`. */
export interface SessionStartLimit {
  total: number;
  remaining: number;
  /** Milliseconds until `remaining` is `total` again. */
  reset_after: number;
}

export interface Logins {
  /** Number since the last stop on request or long session. */
  cutShort: number;
  /** Milliseconds since the last login of any process; where none is known, since the start of this one. */
  sinceLastMs: number;
  /** Milliseconds since the last login of this process; before its first one, since its start. */
  sinceOwnMs: number;
  /** A start takes one login for each shard. */
  shards: number;
}

export interface Wait {
  ms: number;
  reason: string;
}

/** Discord's limit of a day, for most bots. */
const usualTotal = 1_000;
/** Logins that stay unused. Where Discord allows fewer than usual, a tenth of them. */
const mostReserved = 100;
const reservedShare = 0.1;
/** After this share of the day's logins was cut short, the pauses begin. They double, up to an hour. */
const freeCutShort = 0.005;
const firstWaitMs = 10_000;
const longestWaitMs = 3_600_000;
/** After this share of the day's logins for each shard, the others keep a distance. */
const freeOfDay = 0.05;
const mostFreeOfDay = 0.5;
const distanceMs = 1_800_000;

/** How long to wait before the next login; null: not at all. `limit` is null while Discord has not said it. */
export function waitBeforeLogin(logins: Logins, limit: SessionStartLimit | null): Wait | null {
  const { total, remaining, reset_after: resetMs } = limit ?? { total: 0, remaining: 1, reset_after: 0 };
  if (remaining <= Math.min(mostReserved, Math.floor(total * reservedShare))) {
    const left = remaining < 1 ? 'no' : `only ${remaining}`;
    return { ms: resetMs, reason: `Discord allows this bot ${left} more logins until then` };
  }
  const { cutShort, sinceLastMs, sinceOwnMs, shards } = logins;
  const counted = Math.max(total, usualTotal);
  const crashedStarts = Math.floor(cutShort / shards);
  const afterCrashes = pauseAfterCrashes(crashedStarts - counted * freeCutShort) - sinceLastMs;
  // By Discord's count, which has what a lost data folder and other users of the token have spent.
  const used = Math.max(total - remaining, 0);
  const free = counted * Math.min(freeOfDay * shards, mostFreeOfDay);
  const ofDay = used < free ? 0 : distanceMs - sinceOwnMs;
  if (Math.max(afterCrashes, ofDay) <= 0) return null;
  return afterCrashes > ofDay
    ? { ms: afterCrashes, reason: `the last ${cutShort} logins ended in a crash or were refused` }
    : { ms: ofDay, reason: `the bot logged in ${used} times within a day` };
}

function pauseAfterCrashes(beyondFree: number): number {
  return beyondFree < 0 ? 0 : backOffMs(beyondFree + 1, firstWaitMs, longestWaitMs);
}
