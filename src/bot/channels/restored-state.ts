import { identifiesKey } from '../gateway/login-history.ts';

/** A value that the bot keeps in Keyv. */
interface StoredValue {
  key: string;
  value: unknown;
  expires?: number | undefined;
}

/** While this is stored, each alert takes the first check of a server as reported. */
export const restoredKey = 'restored';

/**
 * What the bot has in Keyv after a restore, so that nothing is posted again. The backup knows what was posted before it;
 * what was posted since is in Discord only.
 *
 * - Posts: the present ids of messages count, since a message may have been replaced since the backup.
 * - Kill feeds go on after the last death of the restored store. What is read again from logs is history
 *   (`restored_server`), which no feed posts.
 * - Recaps of the present are posted, and only messages of the backup are edited: the players of later ones may have other
 *   ids in the restored store.
 * - Alerts take the servers as they are at the next check (`restoredKey`).
 * - The history of the bot's logins is that of the present, as Discord has it.
 * - Everything else is as in the backup; roles of members are in the store (`continueFromNow`).
 */
export function restoredState({
  backedUp,
  present,
  latestDeathId,
}: {
  backedUp: readonly StoredValue[];
  present: readonly StoredValue[];
  latestDeathId: number;
}): StoredValue[] {
  const values = new Map(backedUp.map((each) => [each.key, each]));
  values.delete(identifiesKey);
  for (const each of present) {
    if (isOf(each, 'messageId', 'string') || each.key === identifiesKey) values.set(each.key, each);
    if (isOf(each, 'due', 'number')) {
      const { messages = [] } = Object(values.get(each.key)?.value) as { messages?: readonly unknown[] };
      values.set(each.key, { ...each, value: { ...(each.value as object), outgoing: null, messages } });
    }
  }
  for (const each of values.values()) {
    if (!isOf(each, 'through', 'number')) continue;
    values.set(each.key, {
      ...each,
      value: { ...(each.value as object), through: latestDeathId, outgoing: null },
    });
  }
  values.set(restoredKey, { key: restoredKey, value: true });
  return [...values.values()];
}

/** The states of posts have the id of their message, those of kill feeds the id of a death, those of recaps a moment. */
function isOf({ value }: StoredValue, field: string, type: 'string' | 'number'): boolean {
  return typeof (Object(value) as Record<string, unknown>)[field] === type;
}
