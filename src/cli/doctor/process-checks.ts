import type { Environment } from '../../config/environment.ts';
import type { Config } from '../../config/schema.ts';
import type { Finding } from '../check-config/finding.ts';
import { CommandFailure } from '../output.ts';
import { byKind, readSharedWork } from '../shared-work.ts';

/** Whether the processes that share a store on PostgreSQL do all that the config asks for. */
export async function checkProcesses(
  config: Config,
  { storeUrl, discordToken }: Environment,
): Promise<Finding[]> {
  if (storeUrl === undefined) return [];
  try {
    const { processes, unheld } = await readSharedWork(storeUrl, config, discordToken !== null);
    // None is running, which the check of the service says.
    if (processes.length === 0) return [];
    const places = processes.map(({ name, host, pid }) =>
      host === undefined ? name : `${host} (pid ${pid})`,
    );
    const about = { key: 'processes', tried: places.join(', ') };
    if (unheld.length === 0) return [{ ...about, status: 'good', found: 'do all that the config asks for' }];
    return [
      {
        ...about,
        status: 'warning',
        found: `no process does: ${byKind(unheld)
          .map((line) => line.trim().replace(/ {2,}/, ' '))
          .join('; ')}`,
        next: 'start a process whose --roles include it; "outpost processes" shows who does what. After a process was killed, the others take over within 10 s',
      },
    ];
  } catch (error) {
    // The check of the store says so.
    if (error instanceof CommandFailure) return [];
    throw error;
  }
}
