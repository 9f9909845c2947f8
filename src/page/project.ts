import { ServiceError, type Client } from '../api/client-types.ts';
import type { Leaderboard, Player, Schedule, Server } from '../api/resources.ts';
import type { Branding } from './view.ts';

/** What the page may know of a project: what the contract says to an application of its own, and a little more. */
export interface PageProject {
  slug: string;
  client: Client;
  /** Not from the service: to ask it for each of a thousand projects would take seconds. */
  branding(): Branding;
  /** Whether members can join a server at `/join/<server>`. */
  canJoin(serverId: string): boolean;
  /** The address that players connect to, as text to copy; null: the owner has not published one, or there is a link. */
  joinAddress(serverId: string): string | null;
  /** Public schedules by server id, without servers whose schedules are not in the plan. */
  schedules(serverIds: readonly string[]): Promise<ReadonlyMap<string, readonly Schedule[]>>;
  /** The one player of this name whom the store has; null: there is none, or several. */
  playerNamed(name: string): Promise<Player | null>;
}

/** The refusals that say that there is nothing to show, not that something failed. */
const nothingThere: ReadonlySet<string> = new Set([
  'not_found',
  'subscription_required',
  'insufficient_scope',
  'project_suspended',
]);

async function orNull<Data>(asked: Promise<{ data: Data }>): Promise<Data | null> {
  try {
    return (await asked).data;
  } catch (error) {
    if (error instanceof ServiceError && nothingThere.has(error.code)) return null;
    throw error;
  }
}

export async function readServers({ client }: PageProject): Promise<readonly Server[]> {
  return (await orNull(client.listServers()))?.servers ?? [];
}

/** Undefined: there is no such server. */
export async function readServer(project: PageProject, id: string | undefined): Promise<Server | undefined> {
  return (await readServers(project)).find((server) => server.id === id);
}

const rows = 25;

/**
 * The leaderboards with somebody on them; null: they are not in the plan. An answer that could not be refreshed is not
 * used: somebody on it may have been hidden since.
 */
export async function readBoards({ client }: PageProject): Promise<readonly Leaderboard[] | null> {
  const given = await orNull(client.listLeaderboards({ limit: rows }).then((data) => ({ data })));
  if (given === null) return null;
  if (given.stale) return [];
  const answer = given.data;
  const boards = inUse.get(answer) ?? answer.leaderboards.filter((board) => board.rows.length > 0);
  inUse.set(answer, boards);
  return boards;
}

/** The same array for the same answer, so that what is derived from it is made once. */
const inUse = new WeakMap<object, readonly Leaderboard[]>();

/** Null: no player is known by this identifier any more. */
export async function readPlayer({ client }: PageProject, identifier: string): Promise<Player | null> {
  return await orNull(
    client.getPlayer({ identifier }).then((given) => ({ data: given.stale ? null : given.data.player })),
  );
}
