import type { OnlinePlayers } from '../api/resources.ts';
import type { LoggedPlayers } from '../embeds/online.ts';
import { isLoading } from '../server/ingest/counting/roster.ts';
import { readRosters, type StoredRoster } from '../server/store/repositories/logs/rosters.ts';
import type { StoredProject } from './stored-project.ts';

const minuteMs = 60_000;
/** A server lists its players every five minutes as long as there are any. */
const longestSilenceMs = 6 * minuteMs;
/** The same for a log without such lists, which a server's config may switch off. */
const longestSilenceWithoutListsMs = 30 * minuteMs;
/** A source that is polled once a minute or less may be a provider that hands logs over in batches, as Nitrado does. */
const seldomMs = minuteMs;
const longestBatchMs = 20 * minuteMs;

/** How long a log may be silent before its server is taken to have stopped writing it. */
function longestSilence({ listedAt, pollEveryMs }: StoredRoster): number {
  const silenceMs = listedAt === null ? longestSilenceWithoutListsMs : longestSilenceMs;
  return silenceMs + 2 * pollEveryMs + (pollEveryMs >= seldomMs ? longestBatchMs : 0);
}

/** Adds the names in the server's log to the list of a query that does not name everybody. */
export async function withLoggedNames(
  stored: StoredProject,
  serverId: string,
  list: OnlinePlayers,
): Promise<OnlinePlayers> {
  const { online, listedPlayers, players: named } = list;
  const areAllNamed = online !== null && named.length >= Math.max(online, listedPlayers);
  if (areAllNamed) return list;
  // One moment for all, so that who came on when stays the same to the millisecond from answer to answer.
  const now = stored.now();
  const logged = (await readLoggedPlayers({ ...stored, now: () => now }, [serverId])).get(serverId);
  if (logged === undefined || logged.players === null) return list;
  const { asOf, isComplete, players } = logged;
  const since = (seconds: number | null): string | null =>
    seconds === null ? null : new Date(Math.round(now - seconds * 1000)).toISOString();
  return {
    ...list,
    fromLog: {
      asOf: new Date(asOf).toISOString(),
      isComplete,
      players: players.map(({ name, seconds }) => ({ name, since: since(seconds) })),
    },
  };
}

/** Who is on servers according to their logs, by server id, without servers whose logs are not followed. */
export async function readLoggedPlayers(
  { reader, servers, now }: StoredProject,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, LoggedPlayers>> {
  const followed = new Set(servers().flatMap(({ id, logs }) => (logs === undefined ? [] : [id])));
  const rosters = await readRosters(
    reader,
    serverIds.filter((id) => followed.has(id)),
  );
  return new Map(Array.from(rosters, ([id, roster]) => [id, rosterNow(roster, now())] as const));
}

/**
 * Who is on a server now, by the roster that its log gave. A log that has been silent for too long says nothing about now: then
 * `players` is null.
 * @param now epoch milliseconds
 */
export function rosterNow(roster: StoredRoster, now: number): LoggedPlayers {
  const { asOf, loggedAt, isComplete } = roster;
  const sinceMs = Math.max(0, now - asOf);
  if (sinceMs > longestSilence(roster)) return { players: null, asOf, isComplete };
  // The log's clock may be set to another zone than ours.
  const nowInLog = loggedAt + sinceMs;
  const named = roster.players.filter(([gameId]) => !roster.unnamed.has(gameId));
  const players = named.map(([, player]) => ({
    name: player.name,
    seconds: player.connectedAt === null ? null : Math.max(0, (nowInLog - player.connectedAt) / 1000),
    isLoading: isLoading(player, nowInLog),
  }));
  return { players, unnamed: roster.players.length - players.length, asOf, isComplete };
}
