import type { Reader } from '../../engine/database.ts';
import { groupsOf } from '../../engine/each-chunk.ts';
import type { ProjectDefinition } from './definitions.ts';
import { banListRow, projectRow, scheduleRows, serverRow } from './project-rows.ts';

/**
 * Compares projects with what is stored of them, with a few statements. To store all of a thousand projects again would
 * block other writers for seconds, and make the answers that other processes have cached stale.
 * @returns the slugs of projects that are stored differently or not at all, and of stored ones that are not defined
 */
export async function findOtherwiseStored(
  db: Reader,
  projects: readonly ProjectDefinition[],
): Promise<string[]> {
  const stored = await readStored(db);
  const defined = new Set(projects.map(({ slug }) => slug));
  const beyond = [...stored.projects.values()].filter(
    ({ slug, active }) => active === 1 && !defined.has(slug),
  );
  return [...projects.filter((project) => !isUnchanged(project, stored)), ...beyond].map(({ slug }) => slug);
}

type Stored = Awaited<ReturnType<typeof readStored>>;

async function readStored(tx: Reader) {
  const [projects, servers, schedules, banlists, applications, added] = [
    await tx.selectFrom('project').selectAll().execute(),
    await tx.selectFrom('server').selectAll().execute(),
    await tx.selectFrom('schedule').selectAll().orderBy('position').execute(),
    await tx.selectFrom('ban_list').selectAll().execute(),
    await tx.selectFrom('application').select(['id', 'project_id', 'requests_per_minute']).execute(),
    await tx.selectFrom('added_server').select('server_id').execute(),
  ];
  return {
    projects: new Map(projects.map((row) => [row.slug, row])),
    servers: grouped(servers, (row) => row.project_id),
    schedules: grouped(schedules, (row) => row.server_id),
    banlists: grouped(banlists, (row) => row.project_id),
    applications: grouped(applications, (row) => row.project_id),
    added: new Set(added.map((row) => row.server_id)),
  };
}

function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => string): (key: string) => Row[] {
  const groups = groupsOf(rows, keyOf);
  return (key) => groups.get(key) ?? [];
}

function isUnchanged(project: ProjectDefinition, stored: Stored): boolean {
  const row = stored.projects.get(project.slug);
  if (row === undefined || !agrees(projectRow(project), row)) return false;
  const limits = new Map(project.applications.map(({ id, requestsPerMinute }) => [id, requestsPerMinute]));
  return (
    // Servers that members added are in no definition.
    haveRows(project.servers, stored.servers(row.id), serverRow, ({ id }) => stored.added.has(id)) &&
    haveRows(project.banlists, stored.banlists(row.id), (banlist, position) =>
      banListRow(banlist, position, project.servers),
    ) &&
    project.servers.every((server) => {
      const schedules = stored.schedules(server.id);
      const defined = scheduleRows(server);
      return (
        schedules.length === defined.length &&
        schedules.every((schedule, at) => agrees(defined[at] as object, schedule))
      );
    }) &&
    stored.applications(row.id).every((one) => one.requests_per_minute === (limits.get(one.id) ?? null))
  );
}

/** Whether each definition has its row, and each other row is inactive. */
function haveRows<Definition extends { id: string }>(
  definitions: readonly Definition[],
  rows: readonly { id: string; active: number }[],
  rowOf: (definition: Definition, position: number) => object,
  mayBeActive: (row: { id: string }) => boolean = () => false,
): boolean {
  const others = new Map(rows.map((row) => [row.id, row]));
  return (
    definitions.every((definition, position) => {
      const row = others.get(definition.id);
      others.delete(definition.id);
      return row !== undefined && agrees(rowOf(definition, position), row);
    }) && [...others.values()].every((row) => row.active === 0 || mayBeActive(row))
  );
}

/** Whether the columns of a definition are those of a stored row. */
function agrees(defined: object, row: object): boolean {
  const columns = new Map<string, unknown>(Object.entries(row));
  return Object.entries(defined).every(([column, value]) => columns.get(column) === value);
}
