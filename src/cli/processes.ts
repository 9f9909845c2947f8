import { readEnvironment } from '../config/load.ts';
import { requireStore } from './open-store.ts';
import { CommandFailure, printResult, type Output, type JsonOption } from './output.ts';
import { readConfig } from './read-config.ts';
import { byKind, readSharedWork, type SharedWork } from './shared-work.ts';

export async function showProcesses(output: Output, options: JsonOption): Promise<void> {
  const environment = readEnvironment();
  const { storeUrl, configFile, discordToken } = environment;
  if (storeUrl === undefined) {
    throw new CommandFailure('the store is a file, which one process uses alone: there are no others');
  }
  const config = readConfig(configFile);
  await requireStore(environment);
  const work = await readSharedWork(storeUrl, config, discordToken !== null);
  printResult(output, options, work, shown(work));
}

function shown({ processes, unheld }: SharedWork): string {
  const lines = processes.flatMap(({ name, host, pid, roles, since, holds }) => [
    host === undefined ? name : `${host}  pid ${pid}  ${roles?.join(',')}  since ${since}`,
    ...byKind(holds),
  ]);
  return [
    ...(lines.length === 0 ? ['No process is running.'] : lines),
    ...(unheld.length === 0 ? ['Nothing is left undone.'] : ['! no process does', ...byKind(unheld)]),
  ].join('\n');
}
