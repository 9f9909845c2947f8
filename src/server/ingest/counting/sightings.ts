import { identityOfGameId, type PersonIdentity } from '../../store/repositories/players/person-identity.ts';
import { boundedName } from '../../store/repositories/players/sightings.ts';
import type { SeenIdentity } from 'dayz-files';

/** When something was seen, epoch milliseconds; both null if the source does not say. */
export interface Span {
  firstSeenAt: number | null;
  lastSeenAt: number | null;
}

/** A person in a source, with every name used. The empty name: the person was seen without one. */
export interface Sighting extends Span {
  identity: PersonIdentity;
  names: Map<string, Span>;
}

/** A person by the game's id, or by the strongest known identifier. */
type SightedPerson = [key: string, person: Sighting];

/** Collects when people were seen, and with which names. */
export class Sightings {
  readonly #people = new Map<string, Sighting>();

  get all(): IterableIterator<SightedPerson> {
    return this.#people.entries();
  }

  get size(): number {
    return this.#people.size;
  }

  /** The person with this id of the game; `see` records when. */
  ofPlayer(id: string): Sighting {
    return this.#people.get(id) ?? this.#add(id, identityOfGameId(id));
  }

  addIdentity({ steamId64, battleyeGuid, name, at }: SeenIdentity): void {
    const key = steamId64 ?? battleyeGuid;
    if (key === null) return;
    see(this.#people.get(key) ?? this.#add(key, { steamId64, battleyeGuid, dayzId: null }), name, at);
  }

  /** Removes and returns the first people, so many at most. */
  splice(count: number): Sightings {
    const removed = new Sightings();
    for (const [key, person] of this.#people) {
      if (removed.size >= count) break;
      removed.#people.set(key, person);
      this.#people.delete(key);
    }
    return removed;
  }

  /** Adds the sightings of another collection. */
  merge(others: Iterable<SightedPerson>): void {
    for (const [key, theirs] of others) {
      const mine = this.#people.get(key);
      if (mine === undefined) this.#people.set(key, theirs);
      else {
        widen(mine, theirs.firstSeenAt, theirs.lastSeenAt);
        for (const [name, span] of theirs.names) {
          const known = mine.names.get(name);
          if (known === undefined) mine.names.set(name, span);
          else widen(known, span.firstSeenAt, span.lastSeenAt);
        }
      }
    }
  }

  #add(key: string, identity: PersonIdentity): Sighting {
    const person: Sighting = { identity, names: new Map(), firstSeenAt: null, lastSeenAt: null };
    this.#people.set(key, person);
    return person;
  }
}

/**
 * Records that a person was seen. Without a name it is recorded with the empty one, so that the stored data does not
 * depend on which sightings are stored together.
 */
export function see(person: Sighting, name: string | null, at: number | null): void {
  widen(person, at, at);
  const kept = boundedName(name ?? '');
  if (kept === '' && at === null) return;
  const span = person.names.get(kept);
  if (span === undefined) person.names.set(kept, { firstSeenAt: at, lastSeenAt: at });
  else widen(span, at, at);
}

/** Makes a span reach from one moment to another; null: unknown. */
export function widen(span: Span, first: number | null, last: number | null): void {
  if (first !== null && (span.firstSeenAt === null || first < span.firstSeenAt)) span.firstSeenAt = first;
  if (last !== null && (span.lastSeenAt === null || last > span.lastSeenAt)) span.lastSeenAt = last;
}
