import type { Config } from '../../../config/schema.ts';
import {
  countedTwice,
  findCountedTwice,
} from '../../../server/store/repositories/projects/server-identity.ts';
import type { Reader } from '../../../server/store/engine/database.ts';
import { readRunsCountedTwice } from '../../../server/store/repositories/logs/runs-of-others.ts';
import type { ReadStore } from '../../open-store.ts';
import { about, type Finding } from '../finding.ts';

/** Servers that the service would refuse at its start, because their files are counted under another id; and runs that are. */
export async function checkCountedTwice({ projects }: Config, read: ReadStore): Promise<Finding[]> {
  return await read(async (db) => {
    const known = await db.selectFrom('project').select(['id', 'slug']).execute();
    const findings: Finding[] = [];
    for (const { slug, servers } of projects) {
      const projectId = known.find((project) => project.slug === slug)?.id;
      if (projectId === undefined) continue;
      for (const server of servers.filter(({ active }) => active)) {
        const other = await findCountedTwice(db, projectId, server);
        if (other === null) continue;
        const { found, next } = countedTwice(other, server.id);
        findings.push(about(server.id, server.logs ?? server.playersDb ?? '').wrong(found, next));
      }
      findings.push(...(await runsCountedTwice(db, projectId)));
    }
    return findings;
  }, []);
}

/** Runs that are counted for two servers of a project, wherever their logs lie. */
export async function checkRunsCountedTwice({ projects }: Config, db: Reader): Promise<Finding[]> {
  const known = await db.selectFrom('project').select(['id', 'slug']).execute();
  const own = known.filter(({ slug }) => projects.some((project) => project.slug === slug));
  const findings = [];
  for (const { id } of own) findings.push(...(await runsCountedTwice(db, id)));
  return findings;
}

async function runsCountedTwice(db: Reader, projectId: string): Promise<Finding[]> {
  return (await readRunsCountedTwice(db, projectId)).map(({ id, otherId, runs }) =>
    about('servers', `${id}, ${otherId}`).wrong(
      `${runs === 1 ? 'a run of the server is' : `${runs} runs of the server are`} counted for both: everybody's figures double`,
      'take the one that they do not belong to out of the config, restart Outpost or send it SIGHUP, run "outpost server forget ID", and put it back: its own files are read again',
    ),
  );
}

/** Servers and ban lists that the service would refuse, because another project has them: usually a slug was changed. */
export async function checkOwners({ projects }: Config, read: ReadStore): Promise<Finding[]> {
  return await read(async (db) => {
    const owners = (table: 'server' | 'ban_list') =>
      db
        .selectFrom(table)
        .innerJoin('project', 'project.id', `${table}.project_id`)
        .select([`${table}.id`, 'project.slug'])
        .execute();
    const owned = { servers: await owners('server'), banlists: await owners('ban_list') };
    return projects.flatMap(({ slug, ...project }) =>
      (['servers', 'banlists'] as const).flatMap((kind) =>
        project[kind].flatMap(({ id }) => {
          const owner = owned[kind].find((one) => one.id === id)?.slug ?? slug;
          if (owner === slug) return [];
          return [
            about(id, `project ${slug}`).wrong(
              `belongs to the project ${owner}, with its history`,
              `if you changed the project's slug, write ${owner} again; else choose another id`,
            ),
          ];
        }),
      ),
    );
  }, []);
}
