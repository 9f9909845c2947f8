import { parseIdentifier } from '../../../api/identifiers.ts';
import type { ReadDatabase } from '../database.ts';
import type { SmallStore } from '../engine/small-store.ts';
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

/** Deletes the links of members to players who are forgotten by now. @returns how many */
export async function forgetLinks(small: SmallStore, db: ReadDatabase['db']): Promise<number> {
  const list = await readForgottenList(db);
  return await small.deleteWhere(namespace, keyPrefix, (entry) => linksToForgotten(list, entry));
}
