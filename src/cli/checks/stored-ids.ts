import type { Config } from '../../config/schema.ts';
import type { Reader } from '../../server/store/engine/database.ts';
import { readRunsCountedTwice } from '../../server/store/repositories/logs/runs-of-others.ts';
import { storedProjectId } from '../../server/store/repositories/projects/projects.ts';
import { refusedIds } from '../../server/store/repositories/projects/reconcile.ts';
import { count } from '../output.ts';
import { about, type Finding, inTwo } from './finding.ts';

/** Ids for which the service would refuse to start, or that count twice. */
export async function checkStoredIds(config: Config, db: Reader): Promise<Finding[]> {
  const refused = await refusedIds(db, config);
  const findings = refused.map(({ id, reason }) =>
    about(id, 'the store').wrong(...inTwo(reason, 'choose another id')),
  );
  for (const { slug } of config.projects) {
    const projectId = await storedProjectId(db, slug);
    for (const { id, otherId, runs } of projectId === null ? [] : await readRunsCountedTwice(db, projectId)) {
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
