import { pino } from 'pino';
import { PlacementStore, type ChangeValue } from '../bot/channels/placement-store.ts';
import type { Environment } from '../config/environment.ts';
import { readEnvironment } from '../config/load.ts';
import { id as serverId } from '../config/schema/values.ts';
import {
  forgetServer,
  readServerContents,
  renameServer,
  type ServerContents,
} from '../server/store/repositories/projects/server-identity.ts';
import { openSmallValues } from '../server/store/engine/small-values.ts';
import type { WriteDatabase } from '../server/store/engine/database.ts';
import { refreshStale } from '../server/store/repositories/players/stale-statistics.ts';
import { confirm } from './confirm.ts';
import { withStore } from './open-store.ts';
import { CommandFailure, count, type Output, printResult, type JsonOption } from './output.ts';
import { readConfig } from './read-config.ts';

export async function rename(output: Output, from: string, to: string, options: JsonOption): Promise<void> {
  const environment = readEnvironment();
  const { error } = serverId.safeParse(to);
  if (error !== undefined)
    throw new CommandFailure(`${to} cannot be the id of a server: ${error.issues[0]?.message}.`);
  // First, because a config with a mistake ends the command.
  const isNamed = isConfigured(environment, to);
  const { contents, placements } = await withStore(environment, async (db, store) => ({
    contents: await renameServer(db, from, to),
    placements: await renameInPlacements(store, from, to),
  }));
  const next = isNamed
    ? 'Restart Outpost: until then it fails to read this server.'
    : `Name it ${to} in the config, then restart Outpost: until then it fails to read this server.`;
  const text = [
    `Renamed ${from} to ${to}: ${words(contents)}; posts and alerts of members: ${placements}.`,
    `  ${next}`,
  ];
  printResult(output, options, { from, to, ...contents, placements }, text.join('\n'));
}

export async function forget(
  output: Output,
  id: string,
  options: JsonOption & { yes?: boolean },
): Promise<void> {
  const environment = readEnvironment();
  if (isConfigured(environment, id)) {
    throw new CommandFailure(
      `${id} is in the config, so its files would be read again: remove it there, restart Outpost or send it ` +
        'SIGHUP, then run this command again.',
    );
  }
  const contents = await withStore(environment, async (db) => {
    if (options.yes !== true) {
      const contents = words(await readServerContents(db, id));
      await confirm(`Delete ${contents} of ${id}? This cannot be undone.`, 'Nothing was deleted.');
    }
    const forgotten = await forgetServer(db, id);
    await refreshStale(db);
    return forgotten;
  });
  const text = `Deleted ${id}: ${words(contents)}. Computed the figures of ${count(contents.players, 'player')} again.`;
  printResult(output, options, { id, ...contents }, text);
}

const words = ({ runs, files, characters, samples }: ServerContents): string =>
  `${count(runs, 'log run')}, ${count(files, 'file')}, ${count(characters, 'character')}, ${count(samples, 'sample')} for charts`;

function isConfigured({ configFile }: Environment, id: string): boolean {
  return readConfig(configFile).projects.some(({ servers }) => servers.some((server) => server.id === id));
}

async function renameInPlacements(store: WriteDatabase, from: string, to: string): Promise<number> {
  const small = openSmallValues(store, store.db, pino({ level: 'silent' }));
  const change: ChangeValue = async (key, next) => void (await small.change('bot', key, next));
  return await new PlacementStore(small.of('bot'), change).renameServer(from, to);
}
