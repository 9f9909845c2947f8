import { parseIdentifier } from '../../../../api/identifiers.ts';
import type { Database } from '../../engine/database.ts';
import { deleteBotValues, readBotValues, type SmallValue } from '../../engine/small-values.ts';
import { completed, identityColumns, type IdentityRow } from '../players/person-identity.ts';
import { type ForgottenList, readForgottenList } from './forgotten-list.ts';

/** The keys of the bot's values that name the players to whom members of Discord linked themselves. */
const keyPrefix = 'player:';

/** Whether a value of the bot links a member to a forgotten player. */
export function linksToForgotten(
  list: ForgottenList,
  { key, value }: { key: string; value: unknown },
): boolean {
  if (!key.startsWith(keyPrefix) || typeof value !== 'string') return false;
  const identifier = parseIdentifier(value);
  return identifier !== null && list.hasPerson({ [identifier.kind]: identifier.value });
}

/** A member of Discord who linked themselves to a player. */
export interface PlayerLink {
  /** Discord id. */
  member: string;
  /** The player's identifier. */
  player: string;
}

/** The members who linked themselves to a person. */
export function linksTo(person: IdentityRow, values: readonly SmallValue[]): PlayerLink[] {
  return values.flatMap(({ key, value }) => {
    if (!key.startsWith(keyPrefix) || typeof value !== 'string') return [];
    const identifier = parseIdentifier(value);
    if (identifier === null) return [];
    const linked = completed({ [identifier.kind]: identifier.value });
    const isSame = identityColumns.some(
      (column) => linked[column] !== null && linked[column] === person[column],
    );
    return isSame ? [{ member: key.slice(keyPrefix.length), player: value }] : [];
  });
}

/** Deletes the links of members to players who are forgotten by now. @returns how many */
export async function forgetLinks(db: Database): Promise<number> {
  const list = await readForgottenList(db);
  const links = await readBotValues(db, keyPrefix);
  const forgotten = links.filter((link) => linksToForgotten(list, link)).map(({ key }) => key);
  await deleteBotValues(db, forgotten);
  return forgotten.length;
}
