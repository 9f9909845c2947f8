import type { Environment } from '../config/environment.ts';
import { placeKinds } from '../config/schema/files.ts';
import { type HostTrust, trustAddress, trustInMemory } from '../server/files/remote/host-trust.ts';
import type { Place } from '../server/files/remote/place.ts';
import { findTrustedHost } from '../server/store/repositories/projects/trusted-hosts.ts';
import { isUnread, openExisting } from './open-store.ts';

/** The address under which the key of a place's host is trusted; null: it shows none. */
export const keyAddressOf = (place: Place): string | null =>
  'host' in place && placeKinds[place.type].noKey === undefined ? trustAddress(place) : null;

/** Runs a command's work with the hosts that the store knows, if there is one. New ones are not stored. */
export async function withKnownHosts<T>(
  environment: Environment,
  work: (trust: HostTrust) => Promise<T>,
): Promise<T> {
  const seen = trustInMemory();
  const reader = openExisting(environment);
  if (reader === null) return await work(seen);
  try {
    return await work({
      // A store of an earlier version has no such table, and PostgreSQL may be away.
      find: async (address) =>
        (await seen.find(address)) ?? (await findTrustedHost(reader.db, address).catch(unlessUnknown)),
      trust: async (address, fingerprint) => await seen.trust(address, fingerprint),
    });
  } finally {
    await reader.close();
  }
}

function unlessUnknown(error: unknown): null {
  if (isUnread(error)) return null;
  throw error;
}
