import { writeStore } from '../../engine/transactions.ts';
import { sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { groupsOf } from '../../engine/each-chunk.ts';
import { nameForm } from './forgotten-list.ts';
import { markNamingMessages } from './naming-messages.ts';
import { findTargets, type RightsTarget } from './forget-player.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';

/**
 * Hides a player from boards, look-ups, feeds and lists, or shows the player again. Everything is still counted.
 * @param slug in this project only; left out: in all
 * @returns how many stored players are meant, whether they changed or not
 */
export async function setHidden(
  db: Database,
  target: RightsTarget,
  hidden: boolean,
  slug?: string,
): Promise<number> {
  return await writeStore(db, async (tx) => {
    const [from, to] = hidden ? [visibility.shown, visibility.hidden] : [visibility.hidden, visibility.shown];
    const persons = (await findTargets(tx, target, slug)).filter((each) =>
      [from, to].some((is) => is === each.hidden),
    );
    const ids = persons.filter((person) => person.hidden === from).map(({ id }) => id);
    await setVisibility(tx, ids, to);
    return persons.length;
  });
}

/** Also lets the bot delete the messages that name these players. */
export async function setVisibility(
  tx: Database,
  playerIds: readonly number[],
  hidden: number,
): Promise<void> {
  if (playerIds.length === 0) return;
  await sql`UPDATE rights SET revision = revision + 1`.execute(tx);
  const players = valuesOf('integer', playerIds);
  await tx.updateTable('player').set({ hidden }).where('id', 'in', players).execute();
  await markNamingMessages(tx, playerIds, hidden);
}

const hiddenPlayers = (db: Reader) =>
  db
    .selectFrom('player')
    .innerJoin('project', 'project.id', 'player.project_id')
    // Both, because the index has the first.
    .where('hidden', '<>', sql.lit(visibility.shown))
    .where('hidden', '=', sql.lit(visibility.hidden));

interface HiddenPeople {
  steamIds: ReadonlySet<string>;
  names: ReadonlySet<string>;
}

/**
 * The hidden players by the slug of their project, by which a query's lists leave them out. A player who is known by an
 * id derived from the SteamID64 is recognised once a source names the SteamID64 itself.
 */
export async function readHiddenPeople(db: Reader): Promise<ReadonlyMap<string, HiddenPeople>> {
  const rows = await hiddenPlayers(db)
    .leftJoin('player_alias', 'player_alias.player_id', 'player.id')
    .select(['project.slug', 'steam_id64', 'player_alias.name'])
    .execute();
  const ofProjects = groupsOf(rows, ({ slug }) => slug);
  return new Map(
    Array.from(ofProjects, ([slug, people]) => [
      slug,
      {
        steamIds: new Set(people.flatMap(({ steam_id64 }) => steam_id64 ?? [])),
        names: new Set(people.flatMap(({ name }) => (name ? [nameForm(name)] : []))),
      },
    ]),
  );
}

/** The hidden players of a project: an identifier, or the name where none is known, and the latest name. */
export async function readHiddenPlayers(db: Reader, slug: string): Promise<{ id: string; name: string }[]> {
  const rows = await hiddenPlayers(db)
    .select(['steam_id64', 'dayz_id', 'battleye_guid', 'cftools_id', 'player.name'])
    .where('slug', '=', slug)
    .orderBy('player.name', (order) => order.asc().nullsFirst())
    .execute();
  return rows.flatMap(({ steam_id64, dayz_id, battleye_guid, cftools_id, name }) => {
    const id = steam_id64 ?? battleye_guid ?? cftools_id ?? dayz_id ?? name;
    return id === null ? [] : [{ id, name: name ?? id }];
  });
}
