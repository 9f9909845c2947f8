import { clientCacheMs } from '../api/operations.ts';

/*
 * The times and limits of the bot. Those in `defaultTiming` can be replaced, as tests do. In milliseconds where nothing else is
 * said.
 */

/** So many requests of a member at once, and one more every `everyMs`. */
export interface MemberRate {
  burst: number;
  everyMs: number;
}

/** For how long the bot's client gives an answer again, and the service after it: 1 s, and a little more. */
const clientKeepsMs = clientCacheMs('embeddedBotMs');
const serviceKeepsMs = 1_200;

export const defaultTiming = {
  // Answers.
  /** An answer that takes longer is deferred. Discord allows 3 s. */
  deferAfterMs: 600,
  /** A member gets an apology after this time. */
  answerWithinMs: 60_000,
  /** Discord allows 3 s for a completion, which cannot be deferred. */
  completeWithinMs: 1_500,
  /** Commands, buttons and menus. */
  memberRate: { burst: 20, everyMs: 1_000 },
  /** Discord asks for completions at each keystroke. */
  completionRate: { burst: 60, everyMs: 200 },
  /** How many answers run at once, and how many more may wait. Enough for a whole guild that asks at once. */
  answersAtOnce: 40,
  answersWaiting: 500,

  // The connection.
  /** First delay before another login. It doubles, up to `longestReconnectMs`. */
  reconnectMs: 1_000,
  /** First delay before the commands are registered again. It doubles, up to `longestRegisterMs`. */
  registerRetryMs: 1_000,
  /** How long a stop waits for work in flight. */
  settleMs: 3_000,

  // What the bot does on its own.
  /** An unchanged post is edited after this time, to refresh its age and chart. */
  heartbeatMs: 600_000,
  /** First delay before a deleted post is sent again. It doubles with each deletion, up to a heartbeat. */
  repostMs: 5_000,
  /** Posts of one moment start this far apart. */
  staggerMs: 100,
  /**
   * How long to wait after Discord refused a channel or a role: 10,000 refusals in ten minutes block the address. Also for how
   * long a deletion of a post makes the next one wait longer.
   */
  retryMs: 3_600_000,
  /** How often kill feeds and alerts about players ask for what is new. */
  feedPollMs: 2_000,
  /** How often recaps compare the time with their cron expression. */
  recapPollMs: 4_000,
  /** How often alerts and the presence read the servers. The service queries them every 15 s by default. */
  checkEveryMs: 20_000,
  /** How often who is to have which role is asked. */
  rolePollMs: 20_000,
  /** Between two requests about roles: far below the 50 a second that Discord allows for everything together. */
  roleGapMs: 80,
  /** Between two attempts to read what members placed. */
  readPlacementsMs: 5_000,
  /** For so long the list of servers may be from before a change. */
  cachedServersMs: clientKeepsMs.listServers + serviceKeepsMs,
};

export type BotTiming = typeof defaultTiming;

// Answers.
/** Discord waits 3 s for an acknowledgement, including the time on the network. */
export const acknowledgeWithinMs = 2_700;
/** How long an answer is retried after a deferral. Discord accepts it for 15 minutes, but members do not wait that long. */
export const editWithinMs = 300_000;
/** Discord accepts edits of an answer for 15 minutes. */
export const refreshForMs = 14.5 * 60_000;
export const refreshEveryMs = 2_000;
/** Answers that are kept up to date at once; further ones stay as they are. */
export const mostRefreshed = 200;
/** When to try again while the queue of answers is full. */
export const busyMs = 5_000;
/** The least recently active members beyond this number are forgotten, which restores their full burst. */
export const mostMembers = 10_000;
/** Delays between the attempts of an answer while Discord is down: from the first, doubling up to the longest. */
export const outageRetry = { firstMs: 100, longestMs: 5_000 };

// Requests.
/** How long an answer may wait for a rate limit. Members do not wait longer. */
export const answersWaitMs = 30_000;
/** The same for everything else, which is repeated later. */
export const restWaitMs = 5_000;
/**
 * Limit for a request that has a signal, with its repetitions. Together with `nonceTrustMs`, it stays below the few minutes for
 * which Discord remembers a nonce.
 */
export const requestMs = 20_000;
/** Limit for a request of `doctor`, whose result a person waits for. */
export const inspectionMs = 8_000;
/** Cloudflare, in front of Discord, blocks an address for up to an hour, and does not always say for how long. */
export const blockedSeconds = 60;

// The connection.
export const longestReconnectMs = 120_000;
export const longestRegisterMs = 300_000;
/** How long a start waits for the guilds: one in an outage keeps the others waiting. */
export const guildsWithinMs = 5_000;
/** How long closing the gateway waits for shards that are connecting. */
export const closesWithinMs = 1_000;
/** How long posts wait for the first registration of the commands. */
export const headStartMs = 1_000;

// Messages in channels.
/** Discord remembers a nonce for a few minutes. A message without an answer is repeated for so long, then left out. */
export const nonceTrustMs = 180_000;
/** After a failure that is no refusal, a job waits so long, then twice as long each time. */
export const jobRetry = { firstMs: 1_000, longestMs: 10_000 };
/** Messages older than an hour have an edit limit that Discord's rate limit headers do not announce. */
export const oldEditsMs = 300_000;
/** Discord closes the gateway of a token that is really invalid; while that is open, a 401 is an incident of Discord. */
export const tokenRetryMs = 60_000;
/** Between two attempts to delete messages of hidden or forgotten players that Discord did not delete. */
export const deleteAgainMs = 10_000;
/** Discord allows five messages in five seconds in a channel. More deaths at once than this are one message. */
export const mostDeathsSingly = 4;
/** The deaths of a digest, of which it shows as many as fit. */
export const mostDeathsTogether = 150;
/** A line about a death may be followed by one that names the killer, which the next poll of the log reads. */
export const deathSettlesMs = 1_500;
/** How many are read from the store at once. */
export const deathsPerPage = 200;
export const arrivalsPerPage = 100;
/** An alert about a player that is later than this pings nobody: Discord refused messages, or the bot was away. */
export const pingWithinMs = 900_000;
/** An alert about a player that is later than this is not posted. */
export const arrivalWithinMs = 3_600_000;
/** After a longer gap between checks, the length of an outage is unknown, and so is whether it was a single one. */
export const checkGapMs = 600_000;
/** A recap that was missed by more days than this is not made up for. */
export const recapDays = 7;
/** More new players at once than this are one message. */
export const mostNewPlayersSingly = 3;
/** The lines of such a message, which has at most 4,096 characters. */
export const mostNewPlayersTogether = 25;
/** The buttons of a row. */
export const mostButtons = 5;

// What the bot reads.
/** For so long leaderboards may be from before a change. */
export const cachedMs = clientKeepsMs.listLeaderboards + serviceKeepsMs;
/** How often it is asked whether players were hidden, shown or forgotten; that is in memory. */
export const unlistedPollMs = 500;
/** A cached list of servers that is older than this counts as unavailable. */
export const staleServersMs = 60_000;
/** Once Discord is reachable again, so long until every server was checked again. */
export const recheckedMs = 60_000;
/** Discord allows five presence updates per connection in twenty seconds. */
export const presencePauseMs = 15_000;

// Roles.
/** In one pass. */
export const mostRoleRechecks = 50;
/** How often it is asked whether a member is back in the guild, and what became of a role that the bot gave. */
export const roleRecheckMs = 86_400_000;

// Pictures.
/** Drawn ones that are kept, of about 100 KB each. */
export const mostPictures = 50;
/** Decoded pictures of maps that are kept, of some megabytes each. */
export const mostMapImages = 4;
/** A community's logo. After a failure, it is loaded again after `retryMs`; a card waits for it for `waitMs`. */
export const logoLimits = {
  loadWithinMs: 5_000,
  mostBytes: 1_000_000,
  keepMs: 86_400_000,
  retryMs: 600_000,
  waitMs: 1_000,
};

// The log.
/** Guilds that are named as no home guilds: a public bot may be in thousands. */
export const mostGuildLines = 5;
