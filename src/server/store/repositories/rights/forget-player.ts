import { sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { requireWholeStore, writeStore } from '../../engine/transactions.ts';
import { upsert } from '../../engine/table-rows.ts';
import {
  completed,
  identityColumns,
  identityOfRow,
  type IdentityRow,
  type PersonIdentity,
} from '../players/person-identity.ts';
import { eraseLogState } from './erase-log-state.ts';
import { type Erased, erasePlayers, findPersons, type StoredPerson } from './erase-player.ts';
import { readOrMakeKeys } from './forgotten-key.ts';
import { everyServer, ForgottenList, formsOf, nameForm, readForgottenList } from './forgotten-list.ts';
import { findPlayersNamed } from './find-named.ts';
import { forgetEntries } from '../watch/watch-list.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';

/** Who is to be hidden, shown or forgotten: a person, or everybody who goes or went by a name. */
export type RightsTarget = { identity: PersonIdentity } | { name: string };

interface Forgotten extends Erased {
  /** Stored players whose data were deleted; 0: none was stored, and none will be. */
  players: number;
}

/** A name by its hash on the list, and a server on which it is hidden. */
export type ForgottenName = [hash: string, serverId: string];

/** A common name has tens of thousands of bearers, and other writers wait for each transaction. */
const playersAtOnce = 1_000;
/** PostgreSQL ends a transaction in which nothing is sent for too long. */
const playersPerRead = 10_000;

/** The stored players that are meant. @param slug of this project only; left out: of all */
export async function findTargets(db: Reader, target: RightsTarget, slug?: string): Promise<StoredPerson[]> {
  const persons =
    'name' in target
      ? await findPlayersNamed(db, target.name)
      : await findPersons(db, [completed(target.identity)]);
  const known = persons.filter(({ hidden }) => hidden !== visibility.nobody);
  if (slug === undefined || known.length === 0) return known;
  const own = await db.selectFrom('project').select('id').where('slug', '=', slug).executeTakeFirst();
  return known.filter(({ project_id }) => project_id === own?.id);
}

/**
 * Deletes everything stored of a person in all projects, and keeps it out from now on: the list gets a keyed hash of every
 * known form of the identifiers. A name alone forgets everybody who goes or went by it, some players at a time: what is
 * interrupted is completed by forgetting the name again. A name that nobody stored has is hidden on every server.
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
      // If the name is on the list already, its players were deleted before, and hidden where they were seen.
      if ((await addHashes(tx, [hash])) > 0 && persons.length === 0)
        await addNames(tx, [[hash, everyServer]]);
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
  let hasGrown = false;
  for (;;) {
    const found = people.filter((person) => list.hasPerson(person));
    const joined = found.filter((person) => !formsOf(person).every((form) => list.has(form)));
    if (joined.length === 0) break;
    requireWholeStore(tx);
    const rows = joined.map((person) => completed(person));
    await forgetPersons(tx, list, await findPersons(tx, rows), rows);
    hasGrown = true;
    list = await readForgottenList(tx);
  }
  return { forgotten: people.map((person) => list.hasPerson(person)), hasGrown };
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
  const seen = await namesOf(tx, [...all.values()]);
  const names = [...new Set(seen.map(({ name }) => name))];
  const hashes = [...forms, ...names.map(nameForm)].map((form) => list.hashOf(form));
  await addHashes(tx, hashes);
  await addNames(
    tx,
    seen.map(({ name, serverId }) => [list.hashOf(nameForm(name)), serverId]),
  );
  await sql`
    UPDATE rights SET revision = revision + 1, list_revision = list_revision + 1, wipe_wanted = 1
  `.execute(tx);
  const grown = list.with(hashes);
  const stored = [...all.values()].filter(({ hidden }) => hidden !== visibility.nobody);
  const erased = await erasePlayers(tx, grown, stored);
  await forgetEntries(tx);
  const gameIds = rows.flatMap(({ dayz_id, steam_id64 }) =>
    [dayz_id, steam_id64].filter((id) => id !== null),
  );
  await eraseLogState(tx, grown, { gameIds: [...new Set(gameIds)], names });
  return { players: stored.length, ...erased };
}

/**
 * Adds entries of another list to the store's own, and deletes every stored player who is on either.
 * @param hashes made with keys that the store has @returns how many players were deleted
 */
export async function forgetAgain(
  tx: Database,
  hashes: readonly string[],
  names: readonly ForgottenName[],
): Promise<number> {
  await addHashes(tx, hashes);
  await addNames(tx, names);
  const list = await readForgottenList(tx);
  await sql`UPDATE rights SET revision = revision + 1, list_revision = list_revision + 1`.execute(tx);
  const gone: StoredPerson[] = [];
  for (let last: number | undefined = 0; last !== undefined;) {
    const players: StoredPerson[] = await tx
      .selectFrom('player')
      .select(['id', 'project_id', 'name', 'hidden', ...identityColumns])
      .where('hidden', 'in', [visibility.shown, visibility.hidden])
      .where('id', '>', last)
      .orderBy('id')
      .limit(playersPerRead)
      .execute();
    gone.push(...players.filter((player) => list.hasPerson(identityOfRow(player))));
    last = players.at(-1)?.id;
  }
  if (gone.length > 0) return (await forgetPersons(tx, list, gone, [])).players;
  await forgetEntries(tx);
  await eraseLogState(tx, list, { gameIds: [], names: [] });
  return 0;
}

/** The names of players, with each server on which the player was seen; if none is known, with each of the project. */
async function namesOf(
  tx: Database,
  players: readonly Pick<StoredPerson, 'id' | 'project_id'>[],
): Promise<{ name: string; serverId: string }[]> {
  const ids = valuesOf(
    'integer',
    players.map(({ id }) => id),
  );
  const named = await sql<{ player_id: number; name: string }>`
    SELECT player_id, name FROM player_alias WHERE player_id IN ${ids} AND name <> ''
    UNION SELECT player_id, player_name FROM ban WHERE player_id IN ${ids} AND player_name IS NOT NULL
  `.execute(tx);
  const seen = await sql<{ player_id: number; server_id: string }>`
    SELECT player_id, server_id FROM player_alias WHERE player_id IN ${ids} AND server_id <> ''
    UNION SELECT player_id, server_id FROM character WHERE player_id IN ${ids}
    UNION SELECT player_id, server_id FROM log_run_player JOIN log_run ON log_run.id = run_id
    WHERE player_id IN ${ids}
  `.execute(tx);
  const servers = await tx.selectFrom('server').select(['id', 'project_id']).execute();
  const serversOf = new Map<number, string[]>();
  for (const { player_id, server_id } of seen.rows) {
    serversOf.set(player_id, [...(serversOf.get(player_id) ?? []), server_id]);
  }
  const projectOf = new Map(players.map(({ id, project_id }) => [id, project_id]));
  const ofProject = (id: number): string[] =>
    servers.filter(({ project_id }) => project_id === projectOf.get(id)).map((server) => server.id);
  return named.rows.flatMap(({ player_id, name }) =>
    (serversOf.get(player_id) ?? ofProject(player_id)).map((serverId) => ({ name, serverId })),
  );
}

/** Adds hashes to the list. @returns how many were not on it */
async function addHashes(tx: Database, hashes: readonly string[]): Promise<number> {
  const rows = hashes.map((hash) => ({ hash }));
  return await upsert(tx, { table: 'forgotten', key: ['hash'] }, rows);
}

/** Hides names, given by their hashes on the list, on servers. */
async function addNames(tx: Database, names: readonly ForgottenName[]): Promise<void> {
  const rows = names.map(([hash, server_id]) => ({ hash, server_id }));
  await upsert(tx, { table: 'forgotten_name', key: ['hash', 'server_id'] }, rows);
}
