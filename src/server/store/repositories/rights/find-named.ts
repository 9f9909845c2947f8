import { sql } from 'kysely';
import type { Alias } from '../../../../api/resources.ts';
import { smallAscii, valuesOf, withoutCase } from '../../engine/dialect.ts';
import type { Reader } from '../../engine/database.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import {
  identityColumns,
  identityOfRow,
  type PersonIdentity,
  persons,
  type StoredPerson,
} from '../players/person-identity.ts';
import { readAliases } from '../players/player-profiles.ts';

/**
 * The players of all projects who go or went by a name, as typed, or in small, capital or title letters.
 * @param limit not more than these; left out: all
 */
export async function findPlayersNamed(db: Reader, name: string, limit?: number): Promise<StoredPerson[]> {
  const wanted = writtenForms(name.trim());
  return await persons(db)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('player_alias')
        .select('player_id')
        .where(withoutCase('player_alias.name'), 'in', valuesOf('text', wanted)),
    )
    .$if(limit !== undefined, (players) => players.limit(limit as number))
    .execute();
}

export interface NamedPlayer extends PersonIdentity {
  project: string;
  isHidden: boolean;
  /** Latest first. */
  names: readonly Alias[];
}

/**
 * The players of all projects with a text in a name of theirs, whatever its case; those who were seen last come first.
 * Hidden players are among them.
 */
export async function searchPlayers(db: Reader, text: string, limit: number): Promise<NamedPlayer[]> {
  const patterns = writtenForms(text.trim()).map((form) => `%${form.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const rows = await db
    .selectFrom('player')
    .innerJoin('project', 'project.id', 'player.project_id')
    .select(['player.id', 'project.slug', 'hidden', ...identityColumns])
    .where('hidden', 'in', [visibility.shown, visibility.hidden])
    .where('player.id', 'in', ({ selectFrom }) =>
      selectFrom('player_alias')
        .select('player_id')
        .where(({ or }) =>
          or(
            patterns.map(
              (pattern) => sql<boolean>`${withoutCase('player_alias.name')} LIKE ${pattern} ESCAPE '\\'`,
            ),
          ),
        ),
    )
    .orderBy('player.last_seen_at', (order) => order.desc().nullsLast())
    .orderBy('player.id', 'desc')
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  const names = await readAliases(db, ids);
  return rows.map((row) => ({
    project: row.slug,
    isHidden: row.hidden === visibility.hidden,
    ...identityOfRow(row),
    names: names.get(row.id) ?? [],
  }));
}

/** The store ignores the case of ASCII letters only, and compares composed characters as they are. */
function writtenForms(name: string): string[] {
  const lower = name.toLowerCase();
  const title = lower.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  const forms = [name, lower, name.toUpperCase(), title].flatMap((form) => [
    form,
    form.normalize('NFC'),
    form.normalize('NFD'),
  ]);
  return [...new Set(forms.map(smallAscii))].filter((form) => form !== '');
}
