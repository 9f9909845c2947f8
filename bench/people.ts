import { battleyeGuidOf, dayzIdOf, type Identifier } from '../src/api/identifiers.ts';
import { seededRandom } from '../src/demo/random.ts';
import type { PersonIdentity } from '../src/server/store/repositories/players/person-identity.ts';
import type { PersonSeen } from '../src/server/store/repositories/players/sightings.ts';

const firstAccount = 76_561_197_960_265_728n;
const epoch = Date.UTC(2023, 0, 1);
const hour = 3_600_000;
const syllables = 'ka ro mi vel tor an esh dra ul ni bo zek lya por gri sa fen ox'.split(' ');
const cyrillic = 'ка ро ми вел тор ан ша дра ул ни бо зек'.split(' ');

/** A generator of its own for each person, so that anyone can be had without all before. */
const randomOf = (index: number) => seededRandom(Math.imul(index + 1, 0x9e3779b1));

/** The SteamID64 of the person with that number: scattered, and never the same twice. */
export function steamIdOf(index: number): string {
  return String(firstAccount + BigInt((index * 2_654_435_761) % 2_147_483_647));
}

/**
 * How a person is known, as real stores know people: most by a SteamID64, some of them by a CFTools id too, a quarter
 * by the log's own id alone, and a few by nothing but the GUID of a ban list.
 */
export function identityOf(index: number): PersonIdentity {
  const steamId64 = steamIdOf(index);
  const kind = index % 20;
  if (kind === 19) return { battleyeGuid: battleyeGuidOf(steamId64) };
  if (kind > 13) return { dayzId: dayzIdOf(steamId64) };
  return kind > 9 ? { steamId64, cftoolsId: cftoolsIdOf(index) } : { steamId64 };
}

/** Every identifier by which the service has to find a person. */
export function identifiersOf(index: number): Identifier['value'][] {
  const { steamId64, battleyeGuid, cftoolsId } = identityOf(index);
  // Who is known by a derived id alone is found by the SteamID64 too, but for the bare GUID by itself as well.
  if (battleyeGuid) return [battleyeGuid, steamIdOf(index)];
  if (!steamId64) return [steamIdOf(index)];
  return [steamId64, battleyeGuidOf(steamId64), ...(cftoolsId ? [cftoolsId] : [])];
}

function cftoolsIdOf(index: number): string {
  return (0x5f00_0000 + index).toString(16).padStart(8, '0') + index.toString(16).padStart(16, '0');
}

/** A person with one to five names over some months. */
export function personAt(index: number): PersonSeen {
  const random = randomOf(index);
  const firstSeenAt = epoch + Math.floor(random() * 1_000 * 24) * hour;
  const lastSeenAt = firstSeenAt + Math.floor(random() ** 2 * 180 * 24) * hour;
  const count = 1 + Math.floor(random() ** 4 * 5);
  const names = Array.from({ length: count }, (_, at) => {
    const seen = firstSeenAt + ((lastSeenAt - firstSeenAt) / count) * at;
    return [
      nameFrom(random),
      { firstSeenAt: seen, lastSeenAt: at === count - 1 ? lastSeenAt : seen + hour },
    ] as const;
  });
  return {
    identity: identityOf(index),
    firstSeenAt,
    lastSeenAt,
    names: names.map(([name, span]) => [name, span]),
  };
}

/** Some names are everybody's: the game calls whoever chose none `Survivor`. */
function nameFrom(random: () => number): string {
  const kind = random();
  if (kind < 0.08) return kind < 0.03 ? 'Survivor' : `Survivor (${2 + Math.floor(random() * 4)})`;
  const parts = kind < 0.2 ? cyrillic : syllables;
  const word = Array.from(
    { length: 2 + Math.floor(random() * 2) },
    () => parts[Math.floor(random() * parts.length)] as string,
  ).join('');
  const name = word.charAt(0).toUpperCase() + word.slice(1);
  if (kind > 0.85) return `[${word.slice(0, 3).toUpperCase()}] ${name}`;
  return kind > 0.6 ? `${name}${Math.floor(random() * 1_000)}` : name;
}
