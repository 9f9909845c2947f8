import type { Environment } from '../config/environment.ts';
import { type HostTrust, trustInMemory } from '../server/ingest/files/remote/host-trust.ts';
import { findTrustedHost } from '../server/store/projects/trusted-hosts.ts';
import { isUnread, openExisting } from './open-store.ts';

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
