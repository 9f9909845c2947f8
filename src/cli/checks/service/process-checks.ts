import type { Environment } from '../../../config/environment.ts';
import type { Config } from '../../../config/schema.ts';
import { shownUrl } from '../../../server/store/engine/postgres/url.ts';
import { about, type Finding } from '../finding.ts';
import { isUnread } from '../../open-store.ts';
import { byKind, readSharedWork } from '../../shared-work.ts';

/** Whether the processes that share a store on PostgreSQL do all that the config asks for. */
export async function checkProcesses(
  config: Config,
  { storeUrl, discordToken }: Environment,
): Promise<Finding[]> {
  if (storeUrl === undefined) return [];
  try {
    const { processes, unheld } = await readSharedWork(storeUrl, config, discordToken !== null);
    if (processes.length === 0) return [about('processes', shownUrl(storeUrl)).good('none is running')];
    const places = processes.map(({ name, host, pid }) =>
      host === undefined ? name : `${host} (pid ${pid})`,
    );
    const running = about('processes', places.join(', '));
    if (unheld.length === 0) return [running.good('do all that the config asks for')];
    const undone = byKind(unheld).map((line) => line.trim().replace(/ {2,}/, ' '));
    return [
      running.warning(
        `no process does: ${undone.join('; ')}`,
        'start a process whose --roles include it; "outpost processes" shows who does what. After a process was killed, the others take over within 10 s',
      ),
    ];
  } catch (error) {
    // The check of the store says so.
    if (isUnread(error)) return [];
    throw error;
  }
}
