/**
 * When the bot may log in to Discord's gateway (IDENTIFY). Discord allows 1,000 logins a day and resets the token of a bot
 * that needs more. A supervisor that restarts a crashing process would reach that within the hour, so logins after crashes
 * wait longer and longer, and any 24 hours have at most a tenth of what Discord allows, or half with ten shards and more. A
 * RESUME is no login.
 */

/** `session_start_limit` of `GET /gateway/bot`. */
export interface SessionStartLimit {
  total: number;
  remaining: number;
  /** Milliseconds until `remaining` is `total` again. */
  reset_after: number;
}

export interface Logins {
  /** Number in the last 24 hours. */
  lastDay: number;
  /** Number since the last stop on request or long session. */
  cutShort: number;
  /** Milliseconds since the last login; where none is known, since the start of the process. */
  sinceLastMs: number;
  sinceStartMs: number;
  /** A start takes one login for each shard. */
  shards: number;
}

export interface Wait {
  ms: number;
  reason: string;
}

const dayMs = 24 * 3_600_000;
const usualTotal = 1_000;
/** Shares of Discord's limit: logins that wait for nothing, after crashes and in a day, and those that wait. */
const freeCutShort = 0.005;
const freeOfDay = 0.05;
const spacedOfDay = 0.048;
/** However many shards a start takes. */
const mostFreeOfDay = 0.5;
const firstWaitMs = 10_000;
const longestWaitMs = 3_600_000;

/** How long to wait before the next login; null: not at all. `limit` is null while Discord has not said it. */
export function waitBeforeLogin(logins: Logins, limit: SessionStartLimit | null): Wait | null {
  const total = Math.max(limit?.total ?? usualTotal, usualTotal);
  if (limit !== null && limit.remaining < 1) {
    return { ms: limit.reset_after, reason: 'Discord allows this bot no more logins until then' };
  }
  const used = limit === null ? 0 : limit.total - limit.remaining;
  // Discord counts more: others use the token, the data folder was lost, or the clock was set.
  const isComplete = logins.lastDay >= used;
  const lastDay = Math.max(logins.lastDay, used);
  const sinceLastMs = isComplete ? logins.sinceLastMs : Math.min(logins.sinceLastMs, logins.sinceStartMs);
  const starts = Math.floor(logins.cutShort / logins.shards);
  const afterCrashes = pauseAfterCrashes(starts - total * freeCutShort) - logins.sinceLastMs;
  const free = total * Math.min(freeOfDay * logins.shards, mostFreeOfDay);
  const ofDay = lastDay < free ? 0 : dayMs / (total * spacedOfDay) - sinceLastMs;
  if (Math.max(afterCrashes, ofDay) <= 0) return null;
  return afterCrashes > ofDay
    ? { ms: afterCrashes, reason: `the last ${logins.cutShort} logins ended in a crash or were refused` }
    : { ms: ofDay, reason: `the bot logged in ${lastDay} times within a day` };
}

function pauseAfterCrashes(beyondFree: number): number {
  return beyondFree < 0 ? 0 : Math.min(firstWaitMs * 2 ** beyondFree, longestWaitMs);
}
