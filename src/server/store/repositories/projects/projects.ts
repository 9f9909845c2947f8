import { sql } from 'kysely';
import type { Support } from '../../../../api/resources.ts';
import type { Reader } from '../../engine/database.ts';
import { unknownId } from '../../engine/error.ts';

/** The id of a project of the config. @throws StoreError when none has that slug */
export async function findProjectId(db: Reader, slug: string): Promise<string> {
  const active = db.selectFrom('project').where('active', '=', 1);
  const project = await active.select('id').where('slug', '=', slug).executeTakeFirst();
  if (project !== undefined) return project.id;
  throw unknownId('project', slug, await active.select('slug as id').execute());
}

/** The id of a project, active or not; null: the store has none with that slug. */
export async function storedProjectId(db: Reader, slug: string): Promise<string | null> {
  const project = await db.selectFrom('project').select('id').where('slug', '=', slug).executeTakeFirst();
  return project?.id ?? null;
}

export async function readProject(
  db: Reader,
  projectId: string,
): Promise<{ id: string; name: string; slug: string; support: Support }> {
  const { support, ...project } = await db
    .selectFrom('project')
    .select(['id', 'name', 'slug', 'support'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  return { ...project, support: JSON.parse(support) as Support };
}

/** The earliest moment in a table of a project's servers, epoch milliseconds; null: there is none. */
export async function earliestOf(
  db: Reader,
  projectId: string,
  column: 'death.at' | 'log_run.started_at',
): Promise<number | null> {
  const [table, moment] = column.split('.') as [string, string];
  // Asked server by server: the earliest of one server is the first entry of an index.
  const earliest = sql<number | null>`
    min((SELECT min(${sql.ref(moment)}) FROM ${sql.table(table)} WHERE server_id = server.id))`;
  const ofServers = db.selectFrom('server').select(earliest.as('at')).where('project_id', '=', projectId);
  return (await ofServers.executeTakeFirst())?.at ?? null;
}
