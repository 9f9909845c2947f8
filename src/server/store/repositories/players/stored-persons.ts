import type { Reader } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { identityColumns, type IdentityRow } from './person-identity.ts';

export interface StoredPerson extends IdentityRow {
  id: number;
  project_id: string;
  name: string | null;
  hidden: number;
}

export const persons = (db: Reader) =>
  db.selectFrom('player').select(['id', 'project_id', 'name', 'hidden', ...identityColumns]);

/** The stored players with any of these identifiers. @param projectId of this project only; left out: of all */
export async function findPersons(
  db: Reader,
  wanted: readonly IdentityRow[],
  projectId?: string,
): Promise<StoredPerson[]> {
  const found = new Map<number, StoredPerson>();
  const projects =
    projectId === undefined ? await db.selectFrom('project').select('id').execute() : [{ id: projectId }];
  // Each index begins with the project.
  const ofProjects = persons(db).where(
    'project_id',
    'in',
    projects.map(({ id }) => id),
  );
  for (const column of identityColumns) {
    const values = new Set(wanted.map((row) => row[column]).filter((value) => value !== null));
    if (values.size === 0) continue;
    const rows = await ofProjects.where(column, 'in', valuesOf('text', [...values])).execute();
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()];
}
