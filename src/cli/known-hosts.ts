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
    find: async (address) =>
      (await seen.find(address)) ?? (await read(async (db) => await findTrustedHost(db, address), null)),
    trust: async (address, fingerprint) => await seen.trust(address, fingerprint),
  };
}
