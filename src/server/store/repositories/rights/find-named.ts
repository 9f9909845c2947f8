import { smallAscii, valuesOf, withoutCase } from '../../engine/dialect.ts';
import type { Reader } from '../../engine/database.ts';
import { identityColumns } from '../players/person-identity.ts';
import type { StoredPerson } from './erase-player.ts';

/**
 * The players of all projects who go or went by a name, as typed, or in small, capital or title letters.
 * @param limit not more than these; left out: all
 */
export async function findPlayersNamed(db: Reader, name: string, limit?: number): Promise<StoredPerson[]> {
  const wanted = writtenForms(name.trim());
  return await db
    .selectFrom('player')
    .select(['id', 'project_id', 'name', 'hidden', ...identityColumns])
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('player_alias')
        .select('player_id')
        .where(withoutCase('player_alias.name'), 'in', valuesOf('text', wanted)),
    )
    .$if(limit !== undefined, (players) => players.limit(limit as number))
    .execute();
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
