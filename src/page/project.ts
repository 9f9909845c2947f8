import { ServiceError, type Client } from '../api/client-types.ts';
import type { MetricCode } from '../api/metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { Player, PlayerReference, Leaderboard, Schedule, Server, Support } from '../api/resources.ts';
import type { PlayerCard, Standing } from '../embeds/card/content.ts';
import type { Board, BoardRows, Period, RankChange } from '../embeds/top.ts';

/** How the page reads a project: by a client of the contract and, below that, what the contract does not have. */
export interface PageProject {
  slug: string;
  client: Client;
  /** From the config, since asking the service for each of a thousand projects would take seconds. */
  branding(): Branding;
  /** Whether members can join a server at `/join/<server>`. */
  canJoin(serverId: string): boolean;
  /** The address that players connect to, as text to copy; null: the owner has not published it, or `canJoin`. */
  joinAddress(serverId: string): string | null;
  /** Public schedules by server id. Servers whose schedules the plan does not include are left out. */
  schedules(serverIds: readonly string[]): Promise<ReadonlyMap<string, readonly Schedule[]>>;
  /** What the store has of a player on a leaderboard; null: hidden or forgotten since, or only a name, which several have. */
  player(reference: PlayerReference): Promise<ListedPlayer | null>;
  boards: CountedBoards;
  /** Keeps the result of `read`, which takes long, for a minute. @param key says what is read */
  remember<T>(key: readonly unknown[], read: () => Promise<T>): Promise<T>;
  /** IANA zone of times, where the browser's is not known. */
  zone(serverId?: string): string;
}

export interface Branding {
  name: string;
  support: { [Key in keyof Support]?: Support[Key] | undefined };
}

export interface ListedPlayer extends Standing {
  player: Player;
  kills: PlayerCard['kills'];
}

/** The leaderboards that the contract does not have: those of periods, and kills per death. */
interface CountedBoards {
  /** Periods that have begun; none where there are no logs. */
  offered(): Promise<{ periods: readonly Period[] }>;
  read(board: Board, limit: number): Promise<BoardRows>;
  /** How ranks over all time have changed since a week ago, by `playerKey`; empty: unknown. */
  changes(metric: MetricCode): Promise<ReadonlyMap<string, RankChange>>;
}

/** Refusals that mean that there is nothing to show; the others are failures. */
const nothingToShow: ReadonlySet<string> = new Set([
  'not_found',
  'subscription_required',
  'insufficient_scope',
  'project_suspended',
]);

async function unlessRefused<Answer>(request: Promise<Answer>): Promise<Answer | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ServiceError && nothingToShow.has(error.code)) return null;
    throw error;
  }
}

/** A server with all that a page shows of it. */
export interface ShownServer {
  server: Server;
  schedules: readonly Schedule[];
  /** Path of the service that joins the server; null: no link can. */
  joinPath: string | null;
  /** As `joinAddress` of the project says. */
  address: string | null;
}

/** The servers of a project. @param id the only one to read; none is returned if there is no such server */
export async function readServers({ client }: PageProject, id?: string): Promise<readonly Server[]> {
  const answer = await unlessRefused(client.listServers());
  return (answer?.data.servers ?? []).filter((server) => id === undefined || server.id === id);
}

/** @param id as of `readServers` */
export async function readShownServers(project: PageProject, id?: string): Promise<readonly ShownServer[]> {
  const servers = await readServers(project, id);
  const schedules = await project.schedules(servers.map((server) => server.id));
  return servers.map((server) => ({
    server,
    schedules: schedules.get(server.id) ?? [],
    joinPath: project.canJoin(server.id) ? `/join/${encodeURIComponent(server.id)}` : null,
    address: project.joinAddress(server.id),
  }));
}

/**
 * The leaderboards over all time; null: the plan or the scope does not include them. None where the answer could not be
 * refreshed, since somebody on it may have been hidden meanwhile.
 */
export async function readBoards({ client }: PageProject): Promise<readonly Leaderboard[] | null> {
  const answer = await unlessRefused(client.listLeaderboards({ limit: leaderboardMaxRows }));
  if (answer === null) return null;
  return answer.stale ? [] : answer.data.leaderboards;
}
