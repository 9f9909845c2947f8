import { type ConfiguredProject, openProject } from '../config/config-index.ts';
import type { ProjectConfig } from '../config/schema.ts';
import type { Reader } from '../server/store/engine/database.ts';
import { findProjectId } from '../server/store/repositories/projects/projects.ts';

/** A project and its id in the store, if an operation of the contract is open to its members; see `openProject`. */
export async function openStored(
  db: Reader,
  configured: Pick<ConfiguredProject, 'project'>,
  operation: Parameters<typeof openProject>[1],
): Promise<{ project: ProjectConfig; projectId: string } | null> {
  const project = openProject(configured, operation);
  return project && { project, projectId: await findProjectId(db, project.slug) };
}
