import { sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
import { mergePlayers } from './player-merge.ts';
import {
  completed,
  type IdentityColumn,
  identityColumns as columns,
  type IdentityRow,
  type PersonIdentity,
} from './person-identity.ts';
import { joinInOrder, rowsOf } from '../../engine/dialect.ts';
import { chunksOf } from '../../engine/each-chunk.ts';
import { readTogether, type Statement, type Write, writeTogether } from '../../engine/send-together.ts';
import { namesOf, tableRows, updates } from '../../engine/table-rows.ts';
import { screenPeople } from '../rights/forget-player.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { type PersonSeen, sightingWrites } from './sightings.ts';

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
 * of people passes through here, or through `PeopleToSave` after `screenPeople`.
 */
export async function savePeople(
  tx: Database,
  projectId: string,
  people: readonly PersonSeen[],
): Promise<SavedPeople> {
  const identities = people.map(({ identity }) => identity);
  const { forgotten } = await screenPeople(tx, identities);
  return await saveKnown(tx, projectId, people, forgotten);
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
  const { ids, merged } = await saveKnown(tx, projectId, bare);
  const stripped = ids.flatMap((id, i) =>
    forgotten[i] === true ? [{ id: id as number, hidden: visibility.banned }] : [],
  );
  await writeTogether(tx, updates({ table: 'player', key: ['id'] }, stripped));
  return { ids: ids as number[], merged };
}

async function saveKnown(
  tx: Database,
  projectId: string,
  people: readonly PersonSeen[],
  forgotten: readonly boolean[] = [],
): Promise<SavedPeople> {
  const saved = new PeopleToSave(projectId, people);
  saved.resolve(await readTogether(tx, saved.reads()), forgotten);
  await saved.merge(tx);
  await writeTogether(tx, saved.players());
  await writeTogether(tx, saved.sightings());
  return { ids: saved.ids, merged: saved.merged };
}

/**
 * `savePeople` in steps, so that its statements can be sent together with others. In one transaction: pass the rows of
 * `reads` to `resolve`, call `merge`, send the writes of `players`, after which `ids` are known, then those of `sightings`.
 */
export class PeopleToSave {
  readonly #projectId: string;
  readonly #people: readonly PersonSeen[];
  readonly #wanted: readonly IdentityRow[];
  readonly #merges: { from: Person; into: Person }[] = [];
  readonly #byIdentifier = new Map<string, Person>();
  readonly #persons = new Map<number, Person>();
  readonly #mergedInto = new Map<Person, Person>();
  #resolved: (Person | null)[] = [];
  /** The next new person's id until it is stored: greater than any stored one. */
  #nextId = 2 ** 52;

  constructor(projectId: string, people: readonly PersonSeen[]) {
    this.#projectId = projectId;
    this.#people = people;
    this.#wanted = people.map(({ identity }) => completed(identity));
  }

  /** Finds the players who have any of these people's identifiers. */
  reads(): Statement<FoundPerson>[] {
    return columns.flatMap((column) => {
      const values = new Set(
        this.#wanted.map((identity) => identity[column]).filter((value) => value !== null),
      );
      return chunksOf(Array.from(values, (value) => [value])).map(
        (chunk) => sql<FoundPerson>`
          SELECT player.id, steam_id64, dayz_id, battleye_guid, cftools_id
          FROM ${rowsOf('wanted', { value: 'text' }, chunk)}
          ${joinInOrder} player ON player.project_id = ${this.#projectId} AND player.${sql.ref(column)} = wanted.value
        `,
      );
    });
  }

  /** @param found the rows of `reads`; @param forgotten for each person whether nothing of it is to be stored (`screenPeople`) */
  resolve(found: readonly (readonly FoundPerson[])[], forgotten: readonly boolean[]): void {
    for (const row of found.flat()) {
      if (!this.#persons.has(row.id)) this.#index({ ...row, state: 'stored' });
    }
    this.#resolved = this.#wanted.map((identity, i) =>
      forgotten[i] === true ? null : this.#resolve(identity),
    );
  }

  /** Merges players who turned out to be one person. */
  async merge(tx: Database): Promise<void> {
    const stored = this.#merges.filter(({ from }) => from.state !== 'new');
    await mergePlayers(
      tx,
      stored.map(({ from, into }) => ({ from: from.id, into: this.#current(into).id })),
    );
  }

  /** Stores new players, and new identifiers of known ones. */
  players(): Write[] {
    const rows = [...this.#persons.values()].filter((person) => !this.#mergedInto.has(person));
    const changed = rows.filter(({ state }) => state === 'changed');
    return [
      ...updates(
        { table: 'player', key: ['id'] },
        changed.map((person) => ({ id: person.id, ...identifiersOf(person) })),
      ),
      ...chunksOf(rows.filter(({ state }) => state === 'new')).map((added) => this.#add(added)),
    ];
  }

  #add(added: readonly Person[]): Write {
    const names = namesOf(columns);
    return {
      statement: sql`
        INSERT INTO player (project_id, ${names})
        SELECT ${this.#projectId}, ${names} FROM ${tableRows('v', added.map(identifiersOf))} WHERE true
        RETURNING id, ${names}
      `,
      onResult: ({ rows }) => {
        // Several new players may have the same columns, where none has an identifier: any of their ids will do.
        const ids = new Map<string, number[]>();
        for (const row of rows as FoundPerson[]) {
          const key = JSON.stringify(identifiersOf(row));
          ids.set(key, [...(ids.get(key) ?? []), row.id]);
        }
        for (const person of added)
          person.id = ids.get(JSON.stringify(identifiersOf(person)))?.shift() as number;
      },
    };
  }

  /** Whether `ids` needs the ids that the writes of `players` return. */
  get hasNew(): boolean {
    return this.#resolved.some((person) => person !== null && this.#current(person).state === 'new');
  }

  /** The player of each person, in their order; null: the person is forgotten. */
  get ids(): (number | null)[] {
    return this.#resolved.map((person) => person && this.#current(person).id);
  }

  /** The players into which others were merged. */
  get merged(): number[] {
    return [...new Set(this.#merges.map(({ into }) => this.#current(into).id))];
  }

  /** Stores the names under which they were seen, and when. */
  sightings(): Write[] {
    const { ids, merged } = this;
    const mergedIds = new Set(merged);
    // A merged player may have another latest name.
    const changed = this.#people.flatMap((person, i) => {
      const id = ids[i] ?? null;
      return id !== null && (wasSeen(person) || mergedIds.has(id)) ? [[person, id] as const] : [];
    });
    return sightingWrites(
      changed.map(([person]) => person),
      changed.map(([, id]) => id),
    );
  }

  #resolve(identity: IdentityRow): Person {
    let person: Person | undefined;
    for (const column of columns) {
      const found = this.#find(column, identity[column]);
      if (found === undefined || found === person || !agree(found, identity)) continue;
      if (person === undefined) person = found;
      else if (agree(found, person)) person = this.#merge(person, found);
    }
    if (person === undefined) {
      person = {
        id: this.#nextId++,
        state: 'new',
        steam_id64: null,
        dayz_id: null,
        battleye_guid: null,
        cftools_id: null,
      };
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
  #current(person: Person): Person {
    const into = this.#mergedInto.get(person);
    return into === undefined ? person : this.#current(into);
  }

  #find(column: IdentityColumn, value: string | null): Person | undefined {
    const found = value === null ? undefined : this.#byIdentifier.get(`${column} ${value}`);
    return found && this.#current(found);
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

export type FoundPerson = Omit<Person, 'state'>;

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

/** The players of a project with any of these identifiers; none is created. */
export async function findPlayers(
  db: Reader,
  projectId: string,
  identity: PersonIdentity,
): Promise<number[]> {
  const wanted = completed(identity);
  const rows = await db
    .selectFrom('player')
    .select('id')
    .where('project_id', '=', projectId)
    .where(({ or, eb }) =>
      or(columns.flatMap((column) => (wanted[column] === null ? [] : [eb(column, '=', wanted[column])]))),
    )
    .execute();
  return rows.map(({ id }) => id);
}
