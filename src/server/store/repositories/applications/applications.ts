import { sql, type SqlBool, type UpdateObject } from 'kysely';
import type { Plan, Scope } from '../../../../api/access.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { byDialect } from '../../engine/dialect.ts';
import type { Schema } from '../../engine/schema/schema.ts';
import { updateRows } from '../../engine/table-rows.ts';
import { findProjectId } from '../projects/projects.ts';

/** An application with the rights that its project gives it. */
export interface Application {
  id: string;
  name: string;
  secretHash: string;
  generation: number;
  scopes: ReadonlySet<Scope>;
  requestsPerMinute: number | null;
  /** Whether it is the bot of this process. */
  embedded: boolean;
  project: { id: string; slug: string; plan: Plan; suspended: boolean };
}

/** An application as shown to the owner: without its secret and the secret's hash. */
export interface ApplicationListing {
  id: string;
  name: string;
  project: string;
  scopes: Scope[];
  createdAt: string;
  rotatedAt: string | null;
  revokedAt: string | null;
  /** When a token or the secret was last used, at most a minute late; null: never. */
  lastUsedAt: string | null;
}

/** The application if it is not revoked and its project is still in the config. */
export async function findApplication(db: Reader, id: string): Promise<Application | null> {
  const row = await db
    .selectFrom('application')
    .innerJoin('project', 'project.id', 'application.project_id')
    .select([
      'application.id',
      'application.name',
      'secret_hash as secretHash',
      'generation',
      'scopes',
      'requests_per_minute as requestsPerMinute',
      'embedded',
      'project.id as projectId',
      'slug',
      'plan',
      'suspended',
    ])
    .where('application.id', '=', id)
    .where('application.revoked_at', 'is', null)
    .where('project.active', '=', 1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { scopes, embedded, projectId, slug, plan, suspended, ...application } = row;
  return {
    ...application,
    scopes: new Set(JSON.parse(scopes) as Scope[]),
    embedded: embedded === 1,
    project: { id: projectId, slug, plan: plan as Plan, suspended: suspended === 1 },
  };
}

interface NewApplication {
  id: string;
  projectSlug: string;
  name: string;
  secretHash: string;
  scopes: readonly Scope[];
  embedded?: boolean;
}

/** Stores a new application. @throws StoreError when the config has no project with that slug */
export async function createApplication(
  db: Database,
  application: NewApplication,
  now: number,
): Promise<void> {
  const projectId = await findProjectId(db, application.projectSlug);
  await db
    .insertInto('application')
    .values({
      id: application.id,
      project_id: projectId,
      name: application.name,
      secret_hash: application.secretHash,
      generation: 1,
      scopes: JSON.stringify(application.scopes),
      created_at: now,
      embedded: Number(application.embedded ?? false),
    })
    // Repeated after its answer was lost, it changes nothing.
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Replaces the secret; all tokens issued before are invalid from this commit on. False: no such application, or it is
 * that of the bot or page of a running process, which knows no other secret.
 */
export async function rotateApplication(
  db: Database,
  id: string,
  secretHash: string,
  now: number,
): Promise<boolean> {
  return await change(db, id, { secret_hash: secretHash, generation: sql`generation + 1`, rotated_at: now });
}

/** Revokes all access permanently. False as for `rotateApplication`, or already revoked. */
export async function revokeApplication(db: Database, id: string, now: number): Promise<boolean> {
  return await change(db, id, { revoked_at: now });
}

async function change(db: Database, id: string, set: UpdateObject<Schema, 'application'>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('application')
    .set(set)
    .where('id', '=', id)
    .where('embedded', '=', 0)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Every application but the embedded bot's, oldest first. */
export async function listApplications(db: Reader): Promise<ApplicationListing[]> {
  const rows = await db
    .selectFrom('application')
    .innerJoin('project', 'project.id', 'application.project_id')
    .select([
      'application.id',
      'application.name',
      'project.slug',
      'scopes',
      'created_at',
      'rotated_at',
      'revoked_at',
      'last_used_at',
    ])
    .where('embedded', '=', 0)
    .orderBy('created_at')
    .orderBy('application.id')
    .execute();
  const moment = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    project: row.slug,
    scopes: JSON.parse(row.scopes) as Scope[],
    createdAt: new Date(row.created_at).toISOString(),
    rotatedAt: moment(row.rotated_at),
    revokedAt: moment(row.revoked_at),
    lastUsedAt: moment(row.last_used_at),
  }));
}

/** Sets the request limits, per minute, of the given applications of a project; all others get the default. */
export async function saveRequestLimits(
  db: Database,
  projectId: string,
  limits: readonly { id: string; requestsPerMinute: number }[],
): Promise<void> {
  const perMinute = new Map(limits.map(({ id, requestsPerMinute }) => [id, requestsPerMinute]));
  const own = await db.selectFrom('application').select('id').where('project_id', '=', projectId).execute();
  const rows = own.map(({ id }) => ({ id, requests_per_minute: perMinute.get(id) ?? null }));
  await updateRows(db, { table: 'application', key: ['id'] }, rows);
}

/** On PostgreSQL, other processes may use them, even if nobody has visited their page for months. */
const isOfNoProcess = byDialect<SqlBool>(
  sql`true`,
  () =>
    sql`coalesce(last_used_at, created_at) < extract(epoch FROM clock_timestamp() - interval '1 year') * 1000`,
);

/** Deletes the applications that earlier starts created for the embedded bot and the page. */
export async function deleteEmbeddedApplications(db: Database): Promise<void> {
  await db.deleteFrom('application').where('embedded', '=', 1).where(isOfNoProcess).execute();
}

export type LastUse = ReturnType<typeof createLastUse>;

/** When applications were last used. Requests only record it in memory; it is written later. */
export function createLastUse(now: () => number = Date.now) {
  const noted = new Map<string, number>();
  return {
    note: (applicationId: string): void => void noted.set(applicationId, now()),
    /** Writes what was recorded since the last write. What cannot be written is kept for the next time. */
    async write(db: Database): Promise<void> {
      const rows = Array.from(noted, ([id, last_used_at]) => ({ id, last_used_at }));
      await updateRows(db, { table: 'application', key: ['id'] }, rows);
      for (const { id, last_used_at } of rows) if (noted.get(id) === last_used_at) noted.delete(id);
    },
  };
}
