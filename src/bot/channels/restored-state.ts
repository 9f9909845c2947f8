/** A value that the bot keeps in Keyv. */
interface StoredValue {
  key: string;
  value: unknown;
  expires?: number | undefined;
}

/**
 * What the bot has in Keyv after a restore, so that nothing is posted again. The backup knows what was posted before it;
 * what was posted since is in Discord only.
 *
 * - Posts: the present ids of messages count, since a message may have been replaced since the backup.
 * - Kill feeds go on after the last death of the restored store. What is read again from logs is history
 *   (`restored_server`), which no feed posts.
 * - Recaps of the present are posted, and only messages of the backup are edited: the players of later ones may have other
 *   ids in the restored store.
 * - Alerts: the present counts, since it knows which were sent.
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
  for (const each of present) {
    if (has(each, 'messageId') || has(each, 'down')) values.set(each.key, each);
    if (has(each, 'due')) {
      const { messages = [] } = Object(values.get(each.key)?.value) as { messages?: readonly unknown[] };
      values.set(each.key, { ...each, value: { ...(each.value as object), outgoing: null, messages } });
    }
  }
  for (const each of values.values()) {
    if (!has(each, 'through')) continue;
    values.set(each.key, {
      ...each,
      value: { ...(each.value as object), through: latestDeathId, outgoing: null },
    });
  }
  return [...values.values()];
}

/** The states of posts have the id of their message, alerts what was down, kill feeds the id of a death, recaps a moment. */
function has({ value }: StoredValue, field: 'messageId' | 'down' | 'through' | 'due'): boolean {
  return field in Object(value);
}
