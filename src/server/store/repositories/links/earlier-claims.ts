import { parseIdentifier, type Identifier } from '../../../../api/identifiers.ts';
import type { Database } from '../../engine/database.ts';
import { deleteBotValues, readBotValues } from '../../engine/small-values.ts';
import type { ForgottenList } from '../rights/forgotten-list.ts';

/*
 * Earlier versions kept the claims of members as values of the bot: `player:MEMBER` in the project that the bot shows by
 * default, `player:SLUG:MEMBER` in others, each with an identifier.
 */

export const keyPrefix = 'player:';

export function identifierIn({ key, value }: { key: string; value: unknown }): Identifier | null {
  return key.startsWith(keyPrefix) && typeof value === 'string' ? parseIdentifier(value) : null;
}

/** Whether a value of the bot links a member to a forgotten player. Backups of earlier versions have such values. */
export function linksToForgotten(list: ForgottenList, stored: { key: string; value: unknown }): boolean {
  const identifier = identifierIn(stored);
  return identifier !== null && list.hasPerson({ [identifier.kind]: identifier.value });
}

/** Deletes such values of forgotten players, in the transaction that forgets them. @returns how many */
export async function forgetEarlierClaims(tx: Database, list: ForgottenList): Promise<number> {
  const values = await readBotValues(tx, keyPrefix);
  const keys = values.filter((stored) => linksToForgotten(list, stored)).map(({ key }) => key);
  if (keys.length > 0) await deleteBotValues(tx, keys);
  return keys.length;
}
