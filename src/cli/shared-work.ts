import { kindOfLease } from '../process/leases.ts';
import type { Config } from '../config/schema.ts';
import { activeSources } from '../server/ingest/follower/sources.ts';
import { openReader } from '../server/store/engine/database.ts';
import { listLeases } from '../server/store/cluster/leases/lease-table.ts';
import { parseProcessName, type NamedProcess } from '../server/store/cluster/leases/process-name.ts';
import { listProcesses } from '../server/store/cluster/leases/process-table.ts';

interface ProcessWork extends Partial<NamedProcess> {
  name: string;
  holds: string[];
}

/** The work of the processes that share a store on PostgreSQL, as names of leases. */
export interface SharedWork {
  processes: ProcessWork[];
  /** What no process does, of what the config asks for. */
  unheld: string[];
}

export async function readSharedWork(storeUrl: string, config: Config, hasBot: boolean): Promise<SharedWork> {
  const { botLease } = await import('../compose/bot-host.ts');
  const { pollLeases } = await import('../compose/roles/poll.ts');
  const { upkeepLease } = await import('../compose/upkeep.ts');
  const { leasesOfSources } = await import('../server/ingest/follower/source-leases.ts');
  const { servers, lists } = leasesOfSources(activeSources(config));
  const { leases, names } = await readStore(storeUrl);
  const processes = names.map((name) => ({
    name,
    ...parseProcessName(name),
    holds: leases.flatMap((lease) => (lease.owner === name ? [lease.name] : [])),
  }));
  const held = new Set(processes.flatMap(({ holds }) => holds));
  const wanted = [...pollLeases, ...servers, ...lists, upkeepLease];
  if (hasBot) wanted.push(botLease);
  return { processes, unheld: wanted.filter((name) => !held.has(name)) };
}

async function readStore(
  storeUrl: string,
): Promise<{ leases: Awaited<ReturnType<typeof listLeases>>; names: string[] }> {
  const reader = openReader(storeUrl);
  try {
    return { leases: await listLeases(reader.db), names: await listProcesses(reader.db) };
  } finally {
    await reader.close();
  }
}

/** `  follow  north-1, north-2` */
export function byKind(names: readonly string[]): string[] {
  const kinds = [...new Set(names.map(kindOfLease))];
  const inOrder = new Intl.Collator('en', { numeric: true }).compare;
  return kinds.map((kind) => {
    const own = names.filter((name) => kindOfLease(name) === kind).map((name) => name.slice(kind.length + 1));
    return `  ${kind.padEnd(9)} ${own.toSorted(inOrder).join(', ')}`.trimEnd();
  });
}
