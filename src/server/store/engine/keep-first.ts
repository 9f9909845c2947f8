/** Adds a row to Keyv's table unless its key is there, and answers with the value that is. Both engines know this SQL. */
export const insertFirst = `INSERT INTO keyv (key, value) VALUES ($1, $2)
  ON CONFLICT (key) DO UPDATE SET value = keyv.value RETURNING value`;

/** Stores a value in Keyv's form unless there is one. @param insert runs `insertFirst` with a key and a value */
export async function keepFirst<Value>(
  insert: (key: string, value: string) => Promise<unknown>,
  namespace: string,
  key: string,
  value: Value,
): Promise<Value> {
  const [row] = (await insert(`${namespace}:${key}`, JSON.stringify({ value }))) as { value: string }[];
  return (JSON.parse(String(row?.value)) as { value: Value }).value;
}
