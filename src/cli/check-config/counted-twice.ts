import type { Environment } from '../../config/environment.ts';
import type { Config } from '../../config/schema.ts';
import { countedTwice, findCountedTwice } from '../../server/store/repositories/projects/server-identity.ts';
import type { ReadDatabase } from '../../server/store/engine/database.ts';
import { readExisting } from '../open-store.ts';
import type { Finding } from './finding.ts';

/** Servers that the service would refuse at its start, because their files are counted under another id. */
export async function checkCountedTwice(config: Config, environment: Environment): Promise<Finding[]> {
  return await readExisting(environment, async (db) => await findingsOf(config, db), []);
}

async function findingsOf({ projects }: Config, db: ReadDatabase['db']): Promise<Finding[]> {
  const known = await db.selectFrom('project').select(['id', 'slug']).execute();
  const findings: Finding[] = [];
  for (const { slug, servers } of projects) {
    const projectId = known.find((project) => project.slug === slug)?.id;
    if (projectId === undefined) continue;
    for (const server of servers.filter(({ active }) => active)) {
      const other = await findCountedTwice(db, projectId, server);
      if (other === null) continue;
      const { found, next } = countedTwice(other, server.id);
      const tried = server.logs ?? server.playersDb ?? '';
      findings.push({ key: server.id, tried, status: 'wrong', found, next });
    }
  }
  return findings;
}
