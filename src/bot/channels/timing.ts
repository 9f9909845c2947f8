/** The limits and intervals of what the bot does on its own. All in milliseconds. Tests replace some of them. */
export const defaultTiming = {
  /** An unchanged post is edited after this time, to refresh its age and chart. */
  heartbeatMs: 600_000,
  /** First delay before a deleted post is sent again. It doubles with each deletion, up to a heartbeat. */
  repostMs: 5_000,
  /** Posts of one moment start this far apart, and closer if there are many. */
  staggerMs: 300,
  /** How long to wait after Discord refused a message in a channel: 10,000 refusals in ten minutes block the address. */
  retryMs: 3_600_000,
  /** How often kill feeds and alerts about players ask for what is new. */
  feedPollMs: 2_000,
  /** How often recaps look at the time. */
  recapPollMs: 4_000,
  /** How often alerts and the presence read the servers. The service queries them every 20 s. */
  checkEveryMs: 20_000,
  /** How often who is to have which role is asked. */
  rolePollMs: 20_000,
  /** Between two requests about roles: far below the 50 a second that Discord allows for everything together. */
  roleGapMs: 80,
  /** Between two attempts to read what members placed. */
  readPlacementsMs: 5_000,
};

export type BackgroundTiming = Partial<typeof defaultTiming>;

/** Discord remembers a nonce for a few minutes. A message without an answer is repeated for so long, then left out. */
export const nonceTrustMs = 180_000;
/** After a failure that is no refusal, a job waits so long, then twice as long each time. */
export const backOff = { firstMs: 1_000, longestMs: 10_000 };
/** Messages older than an hour have an edit limit that Discord's rate limit headers do not announce. */
export const oldEditsMs = 300_000;
/** Discord closes the gateway of a token that is really invalid; while that is open, a 401 is an incident of Discord. */
export const tokenRetryMs = 60_000;
/** Between two attempts to delete messages of hidden or forgotten players that Discord did not delete. */
export const deleteAgainMs = 10_000;
/** For so long leaderboards may be from before a change: the bot's client keeps them for 2 s, and the service for 1 s. */
export const cachedMs = 3_200;
/** The same for the list of servers, which the client keeps for 5 s. */
export const cachedServersMs = 6_200;
/** How often it is asked whether players were hidden, shown or forgotten; that is in memory. */
export const rightsPollMs = 500;
/** All posts of one moment have their turn within this time. */
export const roundMs = 60_000;
/** Discord allows a bot fifty requests a second, for everything. */
export const shortestGapMs = 30;
/** Discord allows five presence updates per connection in twenty seconds. */
export const presencePauseMs = 15_000;
