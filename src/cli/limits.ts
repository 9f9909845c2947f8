/** The times and limits of the command line. A person waits for each, and reads what is shown. */
export const limits = {
  // How long something may take, in milliseconds.
  /** One check of the doctor. Longer than a login at a slow host and its requests. */
  checkMs: 30_000,
  /** The answer of a game server, of each of a query's attempts. */
  querySocketMs: 1_000,
  /** The answer of a health route. */
  healthMs: 5_000,
  /** The answer of a service elsewhere. */
  remoteServiceMs: 10_000,
  /** A file on this machine: a share may hang. */
  localFileMs: 5_000,
  /** The store's own lock. A running service's writes are short, so a command waits for them. */
  storeBusyMs: 30_000,
  /** Work in flight after a signal, after which the process ends. */
  shutdownMs: 4_500,

  // What is shown.
  /** Players of `player find`. More are no answer for a person. */
  foundPlayers: 50,
  /** Bans of `ban list`, of each list. */
  listedBans: 1_000,
  /** Kinds of unread lines. */
  unreadKinds: 10,
  /** Columns of a report, where the terminal is wider or unknown. */
  columns: 100,
  /** The line of progress is drawn not more often, of work that reports all the time. */
  drawEveryMs: 100,

  // `init`.
  /** Tries to answer one question. A person may mistype a password; fail2ban shuts out after five. */
  attempts: 4,
  /** Ports from the usual one on that are tried for the service. */
  httpPorts: 50,
  /** Guilds whose channels are offered. */
  offeredGuilds: 10,
  /** Choices of a list; longer ones scroll. */
  shownChoices: 12,
  /** Paths that a message names. */
  shownPaths: 3,
  /** A search for the config of a server whose files are known. */
  searchBeside: { folders: 4, deadlineMs: 20_000 },
  /** A search on this machine. */
  searchHere: { folders: 4_000, deadlineMs: 10_000 },
  /** A search at a host, which takes few requests at once. */
  searchAtHost: { folders: 120, deadlineMs: 60_000 },
  /** A search at Nitrado, which allows only so many requests an hour. */
  searchAtNitrado: { folders: 12, deadlineMs: 60_000 },
};
