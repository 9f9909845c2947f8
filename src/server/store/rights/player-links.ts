import { parseIdentifier } from '../../../api/identifiers.ts';
import type { BotValue } from '../backup/bot-values.ts';
import type { ReadDatabase } from '../database.ts';
import type { SmallStore } from '../engine/small-store.ts';
import { completed, identityColumns, type IdentityRow } from '../players/person-identity.ts';
import { type ForgottenList, readForgottenList } from './forgotten-list.ts';

/** The keys under which Keyv has the players to whom members of Discord linked themselves. */
const namespace = 'bot';
const keyPrefix = 'player:';

/** Whether a value of Keyv links a member to a forgotten player. */
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
export function linksTo(person: IdentityRow, values: readonly BotValue[]): PlayerLink[] {
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
export async function forgetLinks(small: SmallStore, db: ReadDatabase['db']): Promise<number> {
  const list = await readForgottenList(db);
  return await small.deleteWhere(namespace, keyPrefix, (entry) => linksToForgotten(list, entry));
}
