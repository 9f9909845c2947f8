/** Rows per statement: enough to be fast, few enough that a service keeps answering meanwhile. */
const chunkRows = 1000;

/** Passes `rows` to `work` in chunks, and yields to the event loop after each. */
export async function eachChunk<T>(
  rows: readonly T[],
  work: (chunk: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += chunkRows) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    await work(rows.slice(start, start + chunkRows));
  }
}

/** Rows by a key that several may share, in their order. */
export function groupsOf<Row, Key>(rows: Iterable<Row>, keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** The last of the rows that share a key. PostgreSQL refuses a statement that would write one row twice. */
export function latestOf<T>(rows: readonly T[], keyOf: (row: T) => unknown): T[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}
