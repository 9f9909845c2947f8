import { lookup as systemLookup } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import { createBoundedCache } from '../../process/bounded-cache.ts';
import { systemClock } from '../../process/clock.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import { within } from '../../process/time-limit.ts';

interface FoundAddress {
  address: string;
  /** False: the resolver has not answered for two minutes, and the host may have moved since. */
  confirmed: boolean;
}

/** Finds the address of a game server's host. Rejects when none is known. */
export type FindAddress = (host: string) => Promise<FoundAddress>;

interface AddressOptions {
  lookup?: (host: string) => Promise<readonly { address: string; family: number }[]>;
  monotonic?: () => number;
  /** How long a query waits for the address of a host that was never found. Default 2 s. */
  waitMs?: number;
}

/** An address that was found longer ago is still used, and looked up again in the background. */
const refreshAfterMs = 15_000;
const confirmedForMs = 120_000;
/**
 * Each lookup takes one of the few threads that files also need, and a silent resolver blocks it for ten
 * seconds or more.
 */
const mostLookups = 2;
/** More hosts than any config names. */
const mostHosts = 100_000;

/** Caches addresses of IPv4, over which GameDig sends, so that a slow or broken resolver delays no query of a known host. */
export function createFindAddress(options: AddressOptions = {}): FindAddress {
  const { lookup = (host) => systemLookup(host, { all: true }), waitMs = 2_000 } = options;
  const { monotonic = systemClock.monotonic } = options;
  const limit = limitConcurrency(mostLookups);
  const hosts = createBoundedCache<{ address: string; foundAt: number }>(mostHosts, {
    ttl: refreshAfterMs,
    ttlResolution: 0,
    perf: { now: monotonic },
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    async fetchMethod(name) {
      const found = await limit.run(() => lookup(name));
      const { address } = found.find(({ family }) => family === 4) ?? {};
      if (address === undefined) throw new Error(`${name} has no IPv4 address`);
      return { address, foundAt: monotonic() };
    },
  });

  return async (name) => {
    if (isIPv4(name)) return { address: name, confirmed: true };
    const known = hosts.get(name, { allowStale: true });
    const lookedUp = hosts.fetch(name);
    if (known !== undefined) {
      lookedUp.catch(() => undefined);
      return { address: known.address, confirmed: monotonic() - known.foundAt < confirmedForMs };
    }
    const found = await within(lookedUp, waitMs);
    if (found === undefined || found === 'late')
      throw new Error(`no answer about ${name} from the resolver in ${waitMs} ms`);
    return { address: found.address, confirmed: true };
  };
}
