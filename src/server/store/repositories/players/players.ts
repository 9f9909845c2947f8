import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import type { Merge } from './merges.ts';
import { mergePlayers } from './player-merge.ts';
import {
  completed,
  findPersons,
  type IdentityColumn,
  identityColumns as columns,
  type IdentityRow,
} from './person-identity.ts';
import { groupsOf } from '../../engine/each-chunk.ts';
import { namesOf, tableRows, updateRows } from '../../engine/table-rows.ts';
import { screenPeople } from '../rights/forget-player.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { type PersonSeen, saveSightings } from './sightings.ts';

interface Person extends IdentityRow {
  id: number;
  state: 'stored' | 'changed' | 'new';
}

interface SavedPeople {
  /** The player of each person, in their order; null: the person is forgotten. */
  ids: (number | null)[];
  /** The players into which others were merged. */
  merged: number[];
}

/**
 * Finds or creates the players of a project for these people and stores their names and times. The order of calls
 * does not matter. Rows that turn out to be one person are merged. Nothing is stored of forgotten people: every source
 * of people passes through here, or through `saveScreened` after `screenPeople`.
 */
export async function savePeople(
  tx: Database,
  projectId: string,
  people: readonly PersonSeen[],
): Promise<SavedPeople> {
  const identities = people.map(({ identity }) => identity);
  const { forgotten } = await screenPeople(tx, identities);
  return await saveScreened(tx, projectId, people, forgotten);
}

/**
 * Saves the people in bans as `savePeople` does, but forgotten ones are stored with their identifiers and nothing else, and
 * appear nowhere but in bans.
 */
export async function saveBanned(
  tx: Database,
  projectId: string,
  people: readonly PersonSeen[],
): Promise<{ ids: number[]; merged: number[] }> {
  const identities = people.map(({ identity }) => identity);
  const { forgotten } = await screenPeople(tx, identities);
  const bare = people.map((person, i) =>
    forgotten[i] === true ? { ...person, names: [], firstSeenAt: null, lastSeenAt: null } : person,
  );
  const { ids, merged } = await saveScreened(tx, projectId, bare);
  const stripped = ids.flatMap((id, i) =>
    forgotten[i] === true ? [{ id: id as number, hidden: visibility.banned }] : [],
  );
  await updateRows(tx, { table: 'player', key: ['id'] }, stripped);
  return { ids: ids as number[], merged };
}

/** @param forgotten for each person whether nothing of it is to be stored (`screenPeople`) */
export async function saveScreened(
  tx: Database,
  projectId: string,
  people: readonly PersonSeen[],
  forgotten: readonly boolean[] = [],
): Promise<SavedPeople> {
  const identities = people.map(({ identity }) => completed(identity));
  const persons = new Persons(await findPersons(tx, identities, projectId));
  const resolved = identities.map((identity, i) =>
    forgotten[i] === true ? null : persons.resolve(identity),
  );
  await mergePlayers(tx, persons.storedMerges());
  const changed = persons.inState('changed').map((person) => ({ id: person.id, ...identifiersOf(person) }));
  await updateRows(tx, { table: 'player', key: ['id'] }, changed);
  await addPersons(tx, projectId, persons.inState('new'));
  const ids = resolved.map((person) => person && persons.current(person).id);
  const merged = persons.merged();
  const mergedIds = new Set(merged);
  // A merged player may have another latest name.
  const seen = people.flatMap((person, i) => {
    const playerId = ids[i] ?? null;
    return playerId !== null && (wasSeen(person) || mergedIds.has(playerId)) ? [{ ...person, playerId }] : [];
  });
  await saveSightings(tx, seen);
  return { ids, merged };
}

async function addPersons(tx: Database, projectId: string, added: readonly Person[]): Promise<void> {
  if (added.length === 0) return;
  const names = namesOf(columns);
  const { rows } = await sql<IdentityRow & { id: number }>`
    INSERT INTO player (project_id, ${names})
    SELECT ${projectId}, ${names} FROM ${tableRows('v', added.map(identifiersOf))} WHERE true
    RETURNING id, ${names}
  `.execute(tx);
  // Several new players may have the same columns, where none has an identifier: any of their ids will do.
  const ids = groupsOf(rows, (row) => JSON.stringify(identifiersOf(row)));
  for (const person of added)
    person.id = ids.get(JSON.stringify(identifiersOf(person)))?.shift()?.id as number;
}

/** Stored and new players by their identifiers, of which some turn out to be one person. */
class Persons {
  readonly #merges: { from: Person; into: Person }[] = [];
  readonly #byIdentifier = new Map<string, Person>();
  readonly #persons = new Map<number, Person>();
  readonly #mergedInto = new Map<Person, Person>();
  /** The next new person's id until it is stored: greater than any stored one. */
  #nextId = 2 ** 52;

  constructor(stored: readonly (IdentityRow & { id: number })[]) {
    for (const row of stored) this.#index({ id: row.id, ...identifiersOf(row), state: 'stored' });
  }

  /** Finds or makes the person with these identifiers, who gets those that are new. */
  resolve(identity: IdentityRow): Person {
    let person: Person | undefined;
    for (const column of columns) {
      const found = this.#find(column, identity[column]);
      if (found === undefined || found === person || !agree(found, identity)) continue;
      if (person === undefined) person = found;
      else if (agree(found, person)) person = this.#merge(person, found);
    }
    if (person === undefined) {
      person = { id: this.#nextId++, state: 'new', ...completed({}) };
    }
    for (const column of columns) {
      const value = identity[column];
      // An identifier that contradicts a stronger one stays with the player who has it.
      if (value === null || person[column] !== null || this.#find(column, value) !== undefined) continue;
      person[column] = value;
      if (person.state === 'stored') person.state = 'changed';
    }
    this.#index(person);
    return person;
  }

  /** The person into which this one was merged, or itself. */
  current(person: Person): Person {
    const into = this.#mergedInto.get(person);
    return into === undefined ? person : this.current(into);
  }

  /** Those that were not merged into others. */
  inState(state: Person['state']): Person[] {
    return [...this.#persons.values()].filter(
      (person) => person.state === state && !this.#mergedInto.has(person),
    );
  }

  storedMerges(): Merge[] {
    const stored = this.#merges.filter(({ from }) => from.state !== 'new');
    return stored.map(({ from, into }) => ({ from: from.id, into: this.current(into).id }));
  }

  /** The players into which others were merged. */
  merged(): number[] {
    return [...new Set(this.#merges.map(({ into }) => this.current(into).id))];
  }

  #find(column: IdentityColumn, value: string | null): Person | undefined {
    const found = value === null ? undefined : this.#byIdentifier.get(`${column} ${value}`);
    return found && this.current(found);
  }

  #index(person: Person): void {
    this.#persons.set(person.id, person);
    for (const column of columns) {
      if (person[column] !== null) this.#byIdentifier.set(`${column} ${person[column]}`, person);
    }
  }

  /** Merges the newer row into the older. */
  #merge(a: Person, b: Person): Person {
    const [into, from] = a.id < b.id ? [a, b] : [b, a];
    for (const column of columns) into[column] ??= from[column];
    if (into.state === 'stored') into.state = 'changed';
    this.#mergedInto.set(from, into);
    this.#merges.push({ from, into });
    this.#index(into);
    return into;
  }
}

const wasSeen = ({ firstSeenAt, lastSeenAt, names }: PersonSeen): boolean =>
  firstSeenAt !== null || lastSeenAt !== null || [...names].length > 0;

/** Whether two sets of identifiers can belong to one person. */
function agree(a: IdentityRow, b: IdentityRow): boolean {
  return columns.every((column) => a[column] === null || b[column] === null || a[column] === b[column]);
}

const identifiersOf = ({ steam_id64, dayz_id, battleye_guid, cftools_id }: IdentityRow): IdentityRow => ({
  steam_id64,
  dayz_id,
  battleye_guid,
  cftools_id,
});
