import { type KnownHosts, type Place, hostAddress, knownHostsInMemory } from 'game-files';
import { placeKinds } from '../config/schema/files.ts';
import { findTrustedHost, howToAccept } from '../server/store/repositories/projects/trusted-hosts.ts';
import type { ReadStore } from './open-store.ts';

/** The address under which the key of a place's host is trusted; null: it shows none. */
export const keyAddressOf = (place: Place): string | null =>
  'host' in place && placeKinds[place.type].noKey === undefined ? hostAddress(place) : null;

/** The hosts that the store knows. New ones are not stored. */
export function hostsOfStore(read: ReadStore): KnownHosts {
  const seen = knownHostsInMemory();
  return {
    howToAccept,
    async find(address) {
      const known = await seen.find(address);
      if (known !== null) return known;
      const stored = await read(async (db) => await findTrustedHost(db, address), null);
      // Each read opens the store, and a check of a host asks for its key before, during and after the login.
      return stored === null ? null : await seen.trust(address, stored);
    },
    trust: async (address, fingerprint) => await seen.trust(address, fingerprint),
  };
}
