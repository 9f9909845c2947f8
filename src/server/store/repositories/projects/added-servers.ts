import type { Database, Reader } from '../../engine/database.ts';
import { upsert } from '../../engine/table-rows.ts';
import type { QueryTarget } from './servers.ts';

/** A server that a member added in Discord. Ids of members and guilds are Discord's. */
export interface AddedServer extends QueryTarget {
  projectSlug: string;
  guildId: string;
  addedBy: string;
  /** Epoch milliseconds. */
  addedAt: number;
}

/** What a member asks for. */
export type NewServer = Omit<AddedServer, 'id' | 'projectSlug' | 'addedAt'>;

type AddOutcome =
  | { added: AddedServer }
  /** The project has this server already. */
  | { known: string }
  /** Members have added as many servers as they may: this many. */
  | { full: number };

const columns = [
  'server.id',
  'project.slug as projectSlug',
  'server.name',
  'game',
  'host',
  'port',
  'query_port as queryPort',
  'guild_id as guildId',
  'added_by as addedBy',
  'added_at as addedAt',
] as const;

/** The servers of active projects that members added and nobody removed, the earliest first. */
export async function listAddedServers(db: Reader): Promise<AddedServer[]> {
  return await db
    .selectFrom('added_server')
    .innerJoin('server', 'server.id', 'added_server.server_id')
    .innerJoin('project', 'project.id', 'server.project_id')
    .select(columns)
    .where('removed_at', 'is', null)
    .where('project.active', '=', 1)
    .orderBy('added_at')
    .orderBy('server.id')
    .execute();
}

/**
 * Adds a server to a project, in one transaction. One that was removed returns under its id, with its history, when the
 * same game is added at the same address.
 * @param most how many servers members may have added
 */
export async function addServer(
  db: Database,
  projectSlug: string,
  server: NewServer,
  { most, now }: { most: number; now: number },
): Promise<AddOutcome> {
  const { name, game, host, port, queryPort: query_port, guildId: guild_id, addedBy: added_by } = server;
  return await db.transaction().execute(async (tx) => {
    const { id: project_id } = await tx
      .selectFrom('project')
      .select('id')
      .where('slug', '=', projectSlug)
      .where('active', '=', 1)
      .executeTakeFirstOrThrow();
    const own = await tx
      .selectFrom('server')
      .leftJoin('added_server', 'server_id', 'server.id')
      .select(['id', 'name', 'game', 'host', 'port', 'query_port as queryPort', 'active', 'position'])
      .select(['server_id', 'removed_at'])
      .where('project_id', '=', project_id)
      .execute();
    const known = own.find((one) => one.active === 1 && isSameServer(one, server));
    if (known !== undefined) return { known: known.name };
    const added = own.filter((one) => one.server_id !== null && one.removed_at === null);
    if (added.length >= most) return { full: most };

    const earlier = own.find(
      (one) => one.removed_at !== null && one.game === game && one.host === host && one.port === port,
    );
    const id = earlier?.id ?? freeId(name, new Set(await idsOf(tx)));
    const position = Math.max(-1, ...own.map((one) => one.position)) + 1;
    const row = { project_id, position, name, game, host, port, query_port, timezone: 'UTC', active: 1 };
    await tx
      .insertInto('server')
      .values({ id, files_at: null, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    const addition = { server_id: id, guild_id, added_by, added_at: now, removed_by: null, removed_at: null };
    await upsert(tx, { table: 'added_server', key: ['server_id'] }, [addition]);
    return { added: { ...server, id, projectSlug, addedAt: now } };
  });
}

/**
 * Removes a server that a member added. It becomes inactive and keeps its history, like one that left the config.
 * @returns null: members have added no such server to the project
 */
export async function removeAddedServer(
  db: Database,
  projectSlug: string,
  id: string,
  { by, now }: { by: string; now: number },
): Promise<AddedServer | null> {
  return await db.transaction().execute(async (tx) => {
    const added = (await listAddedServers(tx)).find(
      (one) => one.id === id && one.projectSlug === projectSlug,
    );
    if (added === undefined) return null;
    await tx
      .updateTable('added_server')
      .set({ removed_by: by, removed_at: now })
      .where('server_id', '=', id)
      .execute();
    await tx.updateTable('server').set({ active: 0 }).where('id', '=', id).execute();
    return added;
  });
}

interface Address {
  host: string;
  port: number;
  queryPort: number | null;
}

/** Whether two servers answer queries at the same place, as far as their addresses show. */
function isSameServer(one: Address, other: Address): boolean {
  if (one.host.toLowerCase() !== other.host.toLowerCase()) return false;
  return one.port === other.port || (one.queryPort ?? one.port) === (other.queryPort ?? other.port);
}

async function idsOf(tx: Database): Promise<string[]> {
  return (await tx.selectFrom('server').select('id').execute()).map(({ id }) => id);
}

const longestId = 40;

/** An id from a name: `Northwood | Livonia` becomes `northwood-livonia`. */
function freeId(name: string, taken: ReadonlySet<string>): string {
  const words = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = words
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestId)
    .replaceAll(/^-+|-+$/g, '');
  const base = slug === '' ? 'server' : slug;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(id)) return id;
  }
}
