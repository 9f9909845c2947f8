/**
 * When the bot may log in to Discord's gateway (IDENTIFY). Discord allows 1,000 logins a day and resets the token of a bot
 * that needs more. A supervisor that restarts a crashing process would reach that within the hour. So the pauses after
 * crashes grow, a day with many logins has pauses as well, and the last hundred logins are never used. A RESUME is no login.
 */

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

/** Logins that stay unused, of Discord's total. A total below a thousand keeps a tenth. */
const mostReserved = 100;
const reservedShare = 0.1;
/** After so many crashed starts, the pauses begin. They double, up to an hour. */
const freeStarts = 5;
const firstWaitMs = 10_000;
const longestWaitMs = 3_600_000;
/** After so many logins of a day for each shard, the others keep a distance. Half of Discord's usual total at most. */
const freeOfDay = 50;
const mostFreeOfDay = 500;
const distanceMs = 1_800_000;

/** How long to wait before the next login; null: not at all. `limit` is null while Discord has not said it. */
export function waitBeforeLogin(logins: Logins, limit: SessionStartLimit | null): Wait | null {
  const { total, remaining, reset_after: resetMs } = limit ?? { total: 0, remaining: 1, reset_after: 0 };
  if (remaining <= Math.min(mostReserved, Math.floor(total * reservedShare))) {
    const left = remaining < 1 ? 'no' : `only ${remaining}`;
    return { ms: resetMs, reason: `Discord allows this bot ${left} more logins until then` };
  }
  const { cutShort, sinceLastMs, sinceOwnMs, shards } = logins;
  const afterCrashes = pauseAfterCrashes(Math.floor(cutShort / shards)) - sinceLastMs;
  // By Discord's count, which has what a lost data folder and other users of the token have spent.
  const used = Math.max(total - remaining, 0);
  const ofDay = used < Math.min(freeOfDay * shards, mostFreeOfDay) ? 0 : distanceMs - sinceOwnMs;
  if (Math.max(afterCrashes, ofDay) <= 0) return null;
  return afterCrashes > ofDay
    ? { ms: afterCrashes, reason: `the last ${cutShort} logins ended in a crash or were refused` }
    : { ms: ofDay, reason: `the bot logged in ${used} times within a day` };
}

function pauseAfterCrashes(starts: number): number {
  return starts < freeStarts ? 0 : Math.min(firstWaitMs * 2 ** (starts - freeStarts), longestWaitMs);
}
