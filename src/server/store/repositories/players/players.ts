import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { mergePlayers } from './player-merge.ts';
import {
  completed,
  type IdentityColumn,
  identityColumns as columns,
  type IdentityRow,
  type PersonIdentity,
} from './person-identity.ts';
import { byDialect, joinInOrder, rowsOf, valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import { screenPeople } from '../rights/forget-player.ts';
import type { ForgottenList } from '../rights/forgotten-list.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { type PersonSeen, saveSightings } from './sightings.ts';

interface Person extends IdentityRow {
  id: number;
  state: 'stored' | 'changed' | 'new';
}

export interface SavedPeople {
  /** The player of each person, in their order; null: the person is forgotten. */
  ids: (number | null)[];
  /** The players into which others were merged. */
  merged: number[];
  /** Whether identifiers of forgotten people were found that were not known yet. */
  listHasGrown: boolean;
}

/**
 * Finds or creates the players of a project for these people and stores their names and times. The order of calls
 * does not matter. Rows that turn out to be one person are merged. Nothing is stored of forgotten people: every source
 * of people passes through here.
 * @param serverId where they were seen; empty: the source belongs to no server
 * @param list who is forgotten, as of this transaction; left out: it is read
 */
export async function savePeople(
  tx: Database,
  projectId: string,
  people: readonly PersonSeen[],
  serverId = '',
  list?: ForgottenList,
): Promise<SavedPeople> {
  const identities = people.map(({ identity }) => identity);
  const { forgotten, hasGrown } = await screenPeople(tx, identities, list);
  const known = people.filter((_, i) => forgotten[i] !== true);
  const { ids, merged } = await saveKnown(tx, projectId, known, serverId);
  let next = 0;
  return {
    ids: forgotten.map((isForgotten) => (isForgotten ? null : (ids[next++] as number))),
    merged,
    listHasGrown: hasGrown,
  };
}

/**
 * The same for the people in bans. Forgotten ones are stored with their identifiers and nothing else, and appear nowhere
 * but in bans.
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
  const saved = await saveKnown(tx, projectId, bare, '');
  const stripped = saved.ids.filter((_, i) => forgotten[i] === true);
  await eachChunk(stripped, async (chunk) => {
    await tx
      .updateTable('player')
      .set({ hidden: visibility.banned })
      .where('id', 'in', valuesOf('integer', chunk))
      .execute();
  });
  return saved;
}

async function saveKnown(
  tx: Database,
  projectId: string,
  people: readonly PersonSeen[],
  serverId: string,
): Promise<{ ids: number[]; merged: number[] }> {
  const resolver = new Resolver();
  const wanted = people.map(({ identity }) => completed(identity));
  await resolver.load(tx, projectId, wanted);
  const persons = wanted.map((identity) => resolver.resolve(identity));
  await resolver.store(tx, projectId);
  const ids = persons.map((person) => resolver.current(person).id);
  const merged = new Set(resolver.merges.map(({ into }) => resolver.current(into).id));
  // A merged player may have another latest name.
  const changed = people.flatMap((person, i) =>
    wasSeen(person) || merged.has(ids[i] as number) ? [[person, ids[i] as number] as const] : [],
  );
  await saveSightings(
    tx,
    changed.map(([person]) => person),
    changed.map(([, id]) => id),
    serverId,
  );
  return { ids, merged: [...merged] };
}

const wasSeen = ({ firstSeenAt, lastSeenAt, names }: PersonSeen): boolean =>
  firstSeenAt !== null || lastSeenAt !== null || [...names].length > 0;

/** Ids for new players, in order. */
async function newPlayerIds(tx: Database, count: number): Promise<number[]> {
  if (count === 0) return [];
  const { rows } = await sql<{ id: number }>`${byDialect(
    sql`
      WITH RECURSIVE next (id, number) AS (
        SELECT coalesce(max(id), 0) + 1, 1 FROM player UNION ALL SELECT id + 1, number + 1 FROM next WHERE number < ${count}
      ) SELECT id FROM next
    `,
    () =>
      sql`SELECT nextval(pg_get_serial_sequence('player', 'id')) AS id FROM generate_series(1, ${count}::bigint)`,
  )}`.execute(tx);
  return rows.map(({ id }) => id);
}

class Resolver {
  readonly merges: { from: Person; into: Person }[] = [];
  readonly #byIdentifier = new Map<string, Person>();
  readonly #persons = new Map<number, Person>();
  readonly #mergedInto = new Map<Person, Person>();
  /** Of a new person until it is stored: greater than any stored id. */
  #nextId = 2 ** 52;

  async load(tx: Database, projectId: string, wanted: readonly IdentityRow[]): Promise<void> {
    for (const column of columns) {
      const values = new Set(wanted.map((identity) => identity[column]).filter((value) => value !== null));
      const identifiers = Array.from(values, (value) => [value]);
      await eachChunk(identifiers, async (chunk) => {
        const { rows } = await sql<Omit<Person, 'state'>>`
          SELECT player.id, steam_id64, dayz_id, battleye_guid, cftools_id
          FROM ${rowsOf('wanted', { value: 'text' }, chunk)}
          ${joinInOrder} player ON player.project_id = ${projectId} AND player.${sql.ref(column)} = wanted.value
        `.execute(tx);
        for (const row of rows) {
          if (!this.#persons.has(row.id)) this.#index({ ...row, state: 'stored' });
        }
      });
    }
  }

  resolve(identity: IdentityRow): Person {
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
  current(person: Person): Person {
    const into = this.#mergedInto.get(person);
    return into === undefined ? person : this.current(into);
  }

  async store(tx: Database, projectId: string): Promise<void> {
    const stored = this.merges.filter(({ from }) => from.state !== 'new');
    await mergePlayers(
      tx,
      stored.map(({ from, into }) => ({ from: from.id, into: this.current(into).id })),
    );
    const rows = [...this.#persons.values()].filter((person) => !this.#mergedInto.has(person));
    const values = (person: Person) => [person.id, ...columns.map((column) => person[column])];
    await eachChunk(rows.filter(({ state }) => state === 'changed').map(values), async (chunk) => {
      await sql`
        UPDATE player SET steam_id64 = v.steam_id64, dayz_id = v.dayz_id, battleye_guid = v.battleye_guid,
          cftools_id = v.cftools_id
        FROM ${rowsOf('v', identityTypes, chunk)} WHERE player.id = v.id
      `.execute(tx);
    });
    const added = rows.filter(({ state }) => state === 'new');
    const ids = await newPlayerIds(tx, added.length);
    for (const [index, person] of added.entries()) person.id = ids[index] as number;
    await eachChunk(added.map(values), async (chunk) => {
      await sql`
        INSERT INTO player (id, project_id, steam_id64, dayz_id, battleye_guid, cftools_id)
        SELECT id, ${projectId}, steam_id64, dayz_id, battleye_guid, cftools_id FROM ${rowsOf('v', identityTypes, chunk)}
      `.execute(tx);
    });
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
    this.merges.push({ from, into });
    this.#index(into);
    return into;
  }
}

/** Whether two sets of identifiers can belong to one person. */
function agree(a: IdentityRow, b: IdentityRow): boolean {
  return columns.every((column) => a[column] === null || b[column] === null || a[column] === b[column]);
}

/** The columns by which a player is stored. */
const identityTypes = {
  id: 'integer',
  steam_id64: 'text',
  dayz_id: 'text',
  battleye_guid: 'text',
  cftools_id: 'text',
} as const;

/** The players of a project with any of these identifiers; none is created. */
export async function findPlayers(
  db: Pick<Database, 'selectFrom'>,
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
