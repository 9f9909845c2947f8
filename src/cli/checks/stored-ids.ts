import type { Config } from '../../config/schema.ts';
import type { Reader } from '../../server/store/engine/database.ts';
import { readRunsCountedTwice } from '../../server/store/repositories/logs/runs-of-others.ts';
import { countedTwice, findCountedTwice } from '../../server/store/repositories/projects/server-identity.ts';
import { count } from '../output.ts';
import { about, type Finding } from './finding.ts';

/** Ids for which the service would refuse to start, or count twice. */
export async function checkStoredIds(config: Config, db: Reader): Promise<Finding[]> {
  return [
    ...(await checkOwners(config, db)),
    ...(await checkCountedTwice(config, db)),
    ...(await checkRunsCountedTwice(config, db)),
  ];
}

/** Runs that are counted for two servers of a project, wherever their logs lie. */
export async function checkRunsCountedTwice(config: Config, db: Reader): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id: projectId } of await storedProjects(config, db)) {
    for (const { id, otherId, runs } of await readRunsCountedTwice(db, projectId)) {
      const counted = `${count(runs, 'run')} ${runs === 1 ? 'is' : 'are'}`;
      findings.push(
        about('servers', `${id}, ${otherId}`).wrong(
          `${counted} counted for both: everybody's figures double`,
          'take the one that they do not belong to out of the config, restart Outpost or send it SIGHUP, run "outpost server forget ID", and put it back: its own files are read again',
        ),
      );
    }
  }
  return findings;
}

/** Servers whose files are counted under another id: usually the id was changed. */
async function checkCountedTwice(config: Config, db: Reader): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, servers } of await storedProjects(config, db)) {
    for (const server of servers.filter(({ active }) => active)) {
      const other = await findCountedTwice(db, id, server);
      if (other === null) continue;
      const report = about(server.id, server.logs ?? server.playersDb ?? '');
      const { found, next } = countedTwice(other, server.id);
      findings.push(report.wrong(found, next));
    }
  }
  return findings;
}

/** The projects of the config that the store knows, with their ids there. */
async function storedProjects(
  { projects }: Config,
  db: Reader,
): Promise<(Config['projects'][number] & { id: string })[]> {
  const known = await db.selectFrom('project').select(['id', 'slug']).execute();
  return projects.flatMap((project) =>
    known.filter(({ slug }) => slug === project.slug).map(({ id }) => ({ ...project, id })),
  );
}

/** Servers and ban lists that another project has: usually a slug was changed. */
async function checkOwners({ projects }: Config, db: Reader): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [table, list] of [
    ['server', 'servers'],
    ['ban_list', 'banlists'],
  ] as const) {
    const stored = await db
      .selectFrom(table)
      .innerJoin('project', 'project.id', `${table}.project_id`)
      .select([`${table}.id`, 'project.slug'])
      .execute();
    for (const project of projects) {
      for (const { id } of project[list]) {
        const owner = stored.find((one) => one.id === id)?.slug ?? project.slug;
        if (owner !== project.slug)
          findings.push(
            about(id, `project ${project.slug}`).wrong(
              `belongs to the project ${owner}, with its history`,
              `if you changed the project's slug, write ${owner} again; else choose another id`,
            ),
          );
      }
    }
  }
  return findings;
}
