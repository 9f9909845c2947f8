import type { Logger } from 'pino';
import { ConfigError } from '../config/error.ts';
import type { BrokenProjectFile, Config } from '../config/schema.ts';
import type { Database } from '../server/store/engine/database.ts';
import { reconcile } from '../server/store/repositories/projects/reconcile.ts';
import { logMovedToConfig } from '../community/added-servers.ts';
import { changedProjects } from '../config/config-index.ts';

/**
 * Makes the store agree with a config. What another process has stored otherwise is replaced, too, but not while files of projects
 * have mistakes: that process may have read them without.
 * @param before the config until now; null at the start
 * @returns the config as it counts: a project with a file of its own that the store refuses stays as it was
 */
export async function storeConfig(
  db: Database,
  next: Config,
  before: Config | null,
  log: Logger,
): Promise<Config> {
  const refused = new Map<string, string>();
  const files = new Map(next.projects.map(({ slug, file }) => [slug, file]));
  const hasMistakes = (next.broken ?? []).length > 0;
  const taken = await reconcile(db, next, {
    ...(before !== null && hasMistakes && { only: changedProjects(before, next) }),
    standsAlone: (slug) => files.get(slug) !== undefined,
    onRefused: (slug, { message }) => refused.set(slug, message),
  });
  logMovedToConfig(taken, next, log);
  if (refused.size === 0) return next;
  const kept = new Map(before?.projects.map((project) => [project.slug, project]));
  const broken = Array.from(refused, ([slug, message]): BrokenProjectFile => {
    const file = files.get(slug) ?? '';
    log.error({ file }, `the project ${slug} stays as it was before: ${message}`);
    return { file, error: new ConfigError(message), keptSlug: kept.has(slug) ? slug : null };
  });
  return {
    ...next,
    projects: next.projects.flatMap((project) =>
      refused.has(project.slug) ? (kept.get(project.slug) ?? []) : project,
    ),
    broken: [...(next.broken ?? []), ...broken],
  };
}
