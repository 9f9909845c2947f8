import { sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { requireWholeStore, writeStore } from '../../engine/transactions.ts';
import { upsert } from '../../engine/table-rows.ts';
import {
  completed,
  findPersons,
  identityOfRow,
  type IdentityRow,
  type PersonIdentity,
  persons,
  type StoredPerson,
} from '../players/person-identity.ts';
import { eraseLogState } from './erase-log-state.ts';
import { type Erased, erasePlayers } from './erase-player.ts';
import { ForgottenList, formsOf, nameForm, readForgottenList, readOrMakeKeys } from './forgotten-list.ts';
import { findPlayersNamed } from './find-named.ts';
import { forgetEntries } from '../watch/watch-list.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';

/** Who is to be hidden, shown or forgotten: a person, or everybody who goes or went by a name. */
export type RightsTarget = { identity: PersonIdentity } | { name: string };

interface Forgotten extends Erased {
  /** Stored players whose data were deleted; 0: none was stored, and none will be. */
  players: number;
}

/** A common name has tens of thousands of bearers, and other writers wait for each transaction. */
const playersAtOnce = 1_000;

/** The stored players that are meant. @param slug of this project only; left out: of all */
export async function findTargets(db: Reader, target: RightsTarget, slug?: string): Promise<StoredPerson[]> {
  const found =
    'name' in target
      ? await findPlayersNamed(db, target.name)
      : await findPersons(db, [completed(target.identity)]);
  const known = found.filter(({ hidden }) => hidden !== visibility.nobody);
  if (slug === undefined || known.length === 0) return known;
  const own = await db.selectFrom('project').select('id').where('slug', '=', slug).executeTakeFirst();
  return known.filter(({ project_id }) => project_id === own?.id);
}

/**
 * Deletes everything stored of a person in all projects, and keeps it out from now on: the list gets a keyed hash of every
 * known form of the identifiers. A name alone forgets everybody who goes or went by it, some players at a time: what is
 * interrupted is completed by forgetting the name again.
 */
export async function forgetPlayer(db: Database, target: RightsTarget): Promise<Forgotten> {
  const total: Forgotten = { players: 0, banned: 0, links: 0 };
  for (;;) {
    const { players, banned, links, isDone } = await writeStore(db, async (tx) => {
      const keyed = new ForgottenList(0, await readOrMakeKeys(tx), new Set());
      if ('identity' in target) {
        const others = [completed(target.identity)];
        return { ...(await forgetPersons(tx, keyed, await findTargets(tx, target), others)), isDone: true };
      }
      const persons = await findPlayersNamed(tx, target.name, playersAtOnce);
      const hash = keyed.hashOf(nameForm(target.name));
      await addHashes(tx, [hash]);
      const isDone = persons.length < playersAtOnce;
      return { ...(await forgetPersons(tx, keyed.with([hash]), persons, [])), isDone };
    });
    total.players += players;
    total.banned += banned;
    total.links += links;
    if (isDone) return total;
  }
}

/**
 * Which of these people are forgotten. Forms of their identifiers that were not known yet join the list, and what was
 * stored under them is deleted, in all projects. To be called before the people are stored, in the same transaction.
 * @param known the list as of this transaction; left out: it is read
 * @returns for each person whether it is forgotten, and whether the list has grown
 */
export async function screenPeople(
  tx: Database,
  people: readonly PersonIdentity[],
  known?: ForgottenList,
): Promise<{ forgotten: boolean[]; hasGrown: boolean }> {
  const nobody = { forgotten: people.map(() => false), hasGrown: false };
  if (people.length === 0) return nobody;
  let list = known ?? (await readForgottenList(tx));
  if (list.isEmpty) return nobody;
  for (let hasGrown = false; ; hasGrown = true) {
    const forgotten = people.map((person) => list.hasPerson(person));
    const found = people.filter((_, i) => forgotten[i]);
    const joined = found.filter((person) => !formsOf(person).every((form) => list.has(form)));
    if (joined.length === 0) return { forgotten, hasGrown };
    // A writer of another project, which does not know these identifiers, may be storing the person.
    requireWholeStore(tx);
    const rows = joined.map((person) => completed(person));
    await forgetPersons(tx, list, await findPersons(tx, rows), rows);
    list = await readForgottenList(tx);
  }
}

/** Deletes these players and whoever turns out to be one of them, and adds all their forms to the list. */
async function forgetPersons(
  tx: Database,
  list: ForgottenList,
  persons: readonly StoredPerson[],
  others: readonly IdentityRow[],
): Promise<Forgotten> {
  const all = new Map(persons.map((person) => [person.id, person]));
  // A stored player may have identifiers by which other projects know the person.
  for (let known = -1; known !== all.size;) {
    known = all.size;
    for (const person of await findPersons(tx, [...all.values(), ...others])) all.set(person.id, person);
  }
  const rows = [...all.values(), ...others];
  const forms = new Set(rows.flatMap((row) => formsOf(identityOfRow(row))));
  const names = await namesOf(tx, [...all.keys()]);
  const hashes = [...forms, ...names.map(nameForm)].map((form) => list.hashOf(form));
  await addHashes(tx, hashes);
  await sql`
    UPDATE rights SET revision = revision + 1, list_revision = list_revision + 1, wipe_wanted = 1
  `.execute(tx);
  const grown = list.with(hashes);
  const stored = [...all.values()].filter(({ hidden }) => hidden !== visibility.nobody);
  const erased = await erasePlayers(tx, grown, stored);
  await forgetEntries(tx, grown);
  const gameIds = rows.flatMap(({ dayz_id, steam_id64 }) =>
    [dayz_id, steam_id64].filter((id) => id !== null),
  );
  await eraseLogState(tx, grown, { gameIds: [...new Set(gameIds)], names });
  return { players: stored.length, ...erased };
}

/**
 * Adds entries of another list to the store's own, in which nothing is known of logs, and deletes every stored player who is on
 * either.
 * @param hashes made with keys that the store has @returns how many players were deleted
 */
export async function forgetAgain(tx: Database, hashes: readonly string[]): Promise<number> {
  await addHashes(tx, hashes);
  const list = await readForgottenList(tx);
  await sql`UPDATE rights SET revision = revision + 1, list_revision = list_revision + 1`.execute(tx);
  const players = await persons(tx).where('hidden', 'in', [visibility.shown, visibility.hidden]).execute();
  const gone = players.filter((player) => list.hasPerson(identityOfRow(player)));
  if (gone.length > 0) return (await forgetPersons(tx, list, gone, [])).players;
  await forgetEntries(tx, list);
  return 0;
}

/** Every name under which these players are stored. */
async function namesOf(tx: Database, playerIds: readonly number[]): Promise<string[]> {
  const ids = valuesOf('integer', playerIds);
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM player_alias WHERE player_id IN ${ids} AND name <> ''
    UNION SELECT player_name FROM ban WHERE player_id IN ${ids} AND player_name IS NOT NULL
  `.execute(tx);
  return rows.map(({ name }) => name);
}

async function addHashes(tx: Database, hashes: readonly string[]): Promise<void> {
  const rows = hashes.map((hash) => ({ hash }));
  await upsert(tx, { table: 'forgotten', key: ['hash'] }, rows);
}
