import { kindOfLease } from '../process/leases.ts';
import type { Config } from '../config/schema.ts';
import { activeSources } from '../server/ingest/follower/sources.ts';
import { openReader } from '../server/store/engine/database.ts';
import { leaseHolders } from '../server/store/cluster/lease-holders.ts';

interface ProcessWork {
  name: string;
  host?: string;
  pid?: number;
  roles?: string[];
  since?: string;
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
  const processes = (await readHolders(storeUrl)).map(({ owner, leases }) => {
    const [, host, pid, roles, since] = /^(.+):(\d+) (\S+) since (\S+)$/.exec(owner) ?? [];
    const known =
      host === undefined || roles === undefined || since === undefined
        ? {}
        : { host, pid: Number(pid), roles: roles.split(','), since };
    return { name: owner, ...known, holds: leases };
  });
  const held = new Set(processes.flatMap(({ holds }) => holds));
  const wanted = [...pollLeases, ...leasesOfSources(activeSources(config)), upkeepLease];
  if (hasBot) wanted.push(botLease);
  return { processes, unheld: wanted.filter((name) => !held.has(name)) };
}

async function readHolders(storeUrl: string): ReturnType<typeof leaseHolders> {
  const reader = openReader(storeUrl);
  try {
    return await leaseHolders(reader.db);
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
