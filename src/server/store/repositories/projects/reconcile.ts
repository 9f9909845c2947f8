import { randomBytes } from 'node:crypto';
import { saveRequestLimits } from '../applications/applications.ts';
import { writeStore } from '../../engine/transactions.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { upsert } from '../../engine/table-rows.ts';
import type { BanlistConfig, Config, ProjectConfig, ServerConfig } from '../../../../config/schema.ts';
import { storedProjectId } from './projects.ts';
import { banListRow, projectRow, scheduleRows, serverRow } from './project-rows.ts';
import { refuseCountedTwice, renameServer } from './server-identity.ts';
import { recountServer } from './server-time-zone.ts';
import { StoreError } from '../../engine/error.ts';

/**
 * Adds the projects, servers and ban lists that the store does not have yet, and changes nothing else: a running
 * service applies a changed config when it reloads, not when a command runs beside it.
 */
export async function addMissing(db: Database, config: Pick<Config, 'projects'>): Promise<void> {
  await writeStore(db, async (tx) => {
    const projects = await tx.selectFrom('project').select(['slug', 'id']).execute();
    const servers = await idsOf(tx, 'server');
    const banLists = await idsOf(tx, 'ban_list');
    for (const project of config.projects) {
      const known = projects.find(({ slug }) => slug === project.slug);
      const projectId = known?.id ?? (await saveProject(tx, project));
      for (const [position, server] of project.servers.entries()) {
        // The next start renames a server that has another id here.
        const isKnown = servers.has(server.id) || servers.has(server.formerly ?? '');
        if (!isKnown) await saveServer(tx, projectId, position, server);
      }
      for (const [position, banlist] of project.banlists.entries()) {
        if (!banLists.has(banlist.id)) await saveBanList(tx, projectId, position, banlist, project.servers);
      }
    }
  });
}

/**
 * Makes the store agree with the config, in one transaction. What was removed from the config becomes inactive and keeps
 * its history (players, samples, bans, applications) in case it returns. A server that says `formerly:` keeps its history
 * under its new id.
 * @throws StoreError when the id of a server or ban list has moved to another project: its history cannot move
 */
export async function reconcile(db: Database, config: Pick<Config, 'projects'>): Promise<void> {
  await writeStore(db, async (tx) => {
    // What the config has is made active again.
    for (const table of ['project', 'server', 'ban_list'] as const)
      await tx.updateTable(table).set({ active: 0 }).where('active', '=', 1).execute();
    await renameServers(tx, config);
    for (const project of config.projects) await saveWholeProject(tx, project);
  });
}

async function idsOf(db: Reader, table: 'server' | 'ban_list'): Promise<ReadonlySet<string>> {
  return new Set((await db.selectFrom(table).select('id').execute()).map(({ id }) => id));
}

/** Gives servers their new ids that have another one in the store. */
async function renameServers(tx: Database, config: Pick<Config, 'projects'>): Promise<void> {
  const stored = await idsOf(tx, 'server');
  for (const { id, formerly } of config.projects.flatMap(({ servers }) => servers))
    if (formerly !== undefined && stored.has(formerly)) await renameServer(tx, formerly, id);
}

async function saveWholeProject(tx: Database, project: ProjectConfig): Promise<void> {
  const projectId = await saveProject(tx, project);
  for (const [position, server] of project.servers.entries()) {
    await saveServer(tx, projectId, position, server);
  }
  for (const [position, banlist] of project.banlists.entries()) {
    await saveBanList(tx, projectId, position, banlist, project.servers);
  }
  await saveRequestLimits(tx, projectId, project.applications);
}

async function saveProject(db: Database, project: ProjectConfig): Promise<string> {
  const row = projectRow(project);
  const { id } = await db
    .insertInto('project')
    .values({ id: `prj_${randomBytes(9).toString('base64url')}`, slug: project.slug, ...row })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function saveServer(
  db: Database,
  projectId: string,
  position: number,
  server: ServerConfig,
): Promise<void> {
  await refuseMove(db, 'server', server.id, projectId);
  if (server.active) await refuseCountedTwice(db, projectId, server);
  const row = serverRow(server, position);
  const known = await db
    .selectFrom('server')
    .select('timezone')
    .where('id', '=', server.id)
    .executeTakeFirst();
  await upsert(db, { table: 'server', key: ['id'] }, [{ id: server.id, project_id: projectId, ...row }]);
  if (known !== undefined && known.timezone !== row.timezone)
    await recountServer(db, server.id, row.timezone);
  await saveSchedules(db, server);
}

/** Schedules that have not changed keep their ids, by which applications know them. */
async function saveSchedules(db: Database, server: ServerConfig): Promise<void> {
  const rows = scheduleRows(server).map((schedule) => ({ server_id: server.id, ...schedule }));
  const stored = await db
    .selectFrom('schedule')
    .selectAll()
    .where('server_id', '=', server.id)
    .orderBy('position')
    .execute();
  const isSame = (row: object, one: Readonly<Record<string, unknown>>): boolean =>
    Object.entries(row).every(([column, value]) => one[column] === value);
  if (rows.length === stored.length && stored.every((one, at) => isSame(rows[at] ?? {}, one))) return;
  await db.deleteFrom('schedule').where('server_id', '=', server.id).execute();
  for (const row of rows) await db.insertInto('schedule').values(row).execute();
}

async function saveBanList(
  db: Database,
  projectId: string,
  position: number,
  banlist: BanlistConfig,
  servers: readonly ServerConfig[],
): Promise<void> {
  await refuseMove(db, 'ban_list', banlist.id, projectId);
  const row = banListRow(banlist, position, servers);
  await upsert(db, { table: 'ban_list', key: ['id'] }, [{ id: banlist.id, project_id: projectId, ...row }]);
}

/** The ids of servers and ban lists for which a config would be refused, and why. */
export async function refusedIds(
  db: Reader,
  { projects }: Pick<Config, 'projects'>,
): Promise<{ id: string; reason: string }[]> {
  const refused: { id: string; reason: string }[] = [];
  const attempt = async (id: string, check: Promise<void>): Promise<void> => {
    try {
      await check;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      refused.push({ id, reason: error.message });
    }
  };
  for (const { slug, servers, banlists } of projects) {
    const projectId = (await storedProjectId(db, slug)) ?? 'none';
    for (const server of servers) {
      await attempt(server.id, refuseMove(db, 'server', server.id, projectId));
      if (server.active) await attempt(server.id, refuseCountedTwice(db, projectId, server));
    }
    for (const { id } of banlists) await attempt(id, refuseMove(db, 'ban_list', id, projectId));
  }
  return refused;
}

async function refuseMove(
  db: Reader,
  table: 'server' | 'ban_list',
  id: string,
  projectId: string,
): Promise<void> {
  const owner = await db
    .selectFrom(table)
    .innerJoin('project', 'project.id', `${table}.project_id`)
    .select(['project.id', 'project.slug'])
    .where(`${table}.id`, '=', id)
    .executeTakeFirst();
  if (owner === undefined || owner.id === projectId) return;
  throw new StoreError(
    `the ${table === 'server' ? 'server' : 'ban list'} id ${JSON.stringify(id)} belongs to another project, ${owner.slug}, with its history. ` +
      `If you changed the project's slug, write ${owner.slug} again; else choose another id`,
  );
}
