import type { Command } from 'commander';
import { readEnvironment } from '../config/load.ts';
import { activeSources } from '../server/ingest/configured-sources.ts';
import { openReader } from '../server/store/database.ts';
import { shownUrl } from '../server/store/engine/postgres/url.ts';
import { listLeases, memberKind } from '../server/store/leases/lease-table.ts';
import { parseProcessName, type NamedProcess } from '../server/store/leases/process-name.ts';
import { isUnread } from './open-store.ts';
import { CommandFailure, printResult, withJson, type Output } from './output.ts';
import { readConfig } from './read-config.ts';

interface ProcessWork extends Partial<NamedProcess> {
  name: string;
  holds: string[];
}

export function addProcessesCommand(program: Command, output: Output): void {
  withJson(program.command('processes'))
    .description(
      'show the processes that share the store on PostgreSQL, what each does, and what nobody does',
    )
    .action(async (options: { json?: boolean }) => {
      const { storeUrl, configFile, discordToken } = readEnvironment();
      if (storeUrl === undefined) {
        throw new CommandFailure('the store is a file, which one process uses alone: there are no others');
      }
      const { pollLeases } = await import('../compose/roles/poll.ts');
      const { upkeepLease } = await import('../compose/upkeep.ts');
      const { leasesOfSources } = await import('../compose/source-leases.ts');
      const { servers, lists } = leasesOfSources(activeSources(readConfig(configFile)));
      const leases = await readLeases(storeUrl);
      const processes = processesIn(leases);
      const held = new Set(processes.flatMap(({ holds }) => holds));
      const wanted = [...pollLeases, ...servers, ...lists, upkeepLease];
      if (discordToken !== null) wanted.push(...knownShards(leases));
      const unheld = wanted.filter((name) => !held.has(name));
      printResult(output, options, { processes, unheld }, shown(processes, unheld));
    });
}

type Leases = Awaited<ReturnType<typeof listLeases>>;

async function readLeases(storeUrl: string): Promise<Leases> {
  const reader = openReader(storeUrl);
  try {
    return await listLeases(reader.db);
  } catch (error) {
    if (!isUnread(error)) throw error;
    throw new CommandFailure(`cannot read ${shownUrl(storeUrl)}: ${(error as Error).message}`);
  } finally {
    await reader.close();
  }
}

/** Every process takes part in `upkeep`, whatever else it does. */
function processesIn(leases: Leases): ProcessWork[] {
  const present = memberKind('upkeep');
  const owners = leases.flatMap(({ name, owner }) => (kindOf(name) === present && owner ? [owner] : []));
  return owners.toSorted().map((name) => ({
    name,
    ...parseProcessName(name),
    holds: leases.flatMap((lease) =>
      lease.owner === name && !kindOf(lease.name).startsWith(memberKind('')) ? [lease.name] : [],
    ),
  }));
}

/** Up to the highest that is held: those above may be of a time when the bot had more. */
function knownShards(leases: Leases): string[] {
  const shards = leases.filter(({ name }) => kindOf(name) === 'shard');
  const held = shards.flatMap(({ name, owner }) => (owner === null ? [] : [Number(restOf(name))]));
  const highest = Math.max(0, ...held);
  return shards.flatMap(({ name }) => (Number(restOf(name)) <= highest ? [name] : []));
}

const kindOf = (name: string): string => name.slice(0, name.indexOf(':'));
const restOf = (name: string): string => name.slice(name.indexOf(':') + 1);

function shown(processes: readonly ProcessWork[], unheld: readonly string[]): string {
  const lines = processes.flatMap(({ name, host, pid, roles, since, holds }) => [
    host === undefined ? name : `${host}  pid ${pid}  ${roles?.join(',')}  since ${since}`,
    ...byKind(holds),
  ]);
  return [
    ...(lines.length === 0 ? ['No process is running.'] : lines),
    ...(unheld.length === 0 ? ['Nothing is left undone.'] : ['! nobody does', ...byKind(unheld)]),
  ].join('\n');
}

/** `  follow  north-1, north-2` */
function byKind(names: readonly string[]): string[] {
  const kinds = [...new Set(names.map(kindOf))];
  const inOrder = new Intl.Collator('en', { numeric: true }).compare;
  return kinds.map((kind) => {
    const own = names.filter((name) => kindOf(name) === kind).map(restOf);
    return `  ${kind.padEnd(9)} ${own.toSorted(inOrder).join(', ')}`;
  });
}
