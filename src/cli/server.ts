import { readConfig, readEnvironment } from '../config/load.ts';
import {
  forgetServer,
  readServerContents,
  type ServerContents,
} from '../server/store/repositories/projects/server-identity.ts';
import { refreshStale } from '../server/store/repositories/players/stale-statistics.ts';
import { confirm } from './confirm.ts';
import { withStore } from './open-store.ts';
import { CommandFailure, count, type Output, printResult } from './output.ts';

export async function forget(output: Output, id: string, options: { yes?: boolean }): Promise<void> {
  if (isConfigured(id)) {
    throw new CommandFailure(
      `${id} is in the config, so its files would be read again: remove it there, restart Outpost or send it ` +
        'SIGHUP, then run this command again.',
    );
  }
  const contents = await withStore(async (db) => {
    if (options.yes !== true) {
      const contents = words(await readServerContents(db, id));
      await confirm(`Delete ${contents} of ${id}? This cannot be undone.`, 'Nothing was deleted.');
    }
    const forgotten = await forgetServer(db, id);
    await refreshStale(db);
    return forgotten;
  });
  const text = `Deleted ${id}: ${words(contents)}. Computed the figures of ${count(contents.players, 'player')} again.`;
  printResult(output, { id, ...contents }, text);
}

const words = ({ runs, files, characters, samples }: ServerContents): string =>
  `${count(runs, 'log run')}, ${count(files, 'file')}, ${count(characters, 'character')}, ${count(samples, 'sample')} for charts`;

function isConfigured(id: string): boolean {
  return readConfig(readEnvironment().configFile).projects.some(({ servers }) =>
    servers.some((server) => server.id === id),
  );
}
