import { existsSync } from 'node:fs';
import type { Environment } from '../config/environment.ts';
import { type HostTrust, trustInMemory } from '../server/ingest/files/remote/host-trust.ts';
import { openReader, storeFile } from '../server/store/database.ts';
import { findTrustedHost } from '../server/store/projects/trusted-hosts.ts';

/** Runs a command's work with the hosts that the store knows, if there is one. New ones are not stored. */
export async function withKnownHosts<T>(
  { dataFolder }: Environment,
  work: (trust: HostTrust) => Promise<T>,
): Promise<T> {
  const seen = trustInMemory();
  const file = storeFile(dataFolder);
  if (!existsSync(file)) return await work(seen);
  const reader = openReader(file);
  try {
    return await work({
      // A store of an earlier version has no such table.
      find: async (address) =>
        (await seen.find(address)) ?? (await findTrustedHost(reader.db, address).catch(unlessNoTable)),
      trust: async (address, fingerprint) => await seen.trust(address, fingerprint),
    });
  } finally {
    await reader.close();
  }
}

function unlessNoTable(error: unknown): null {
  if (/no such table/i.test((error as Error).message)) return null;
  throw error;
}
