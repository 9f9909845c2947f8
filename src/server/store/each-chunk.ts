/** Rows a statement takes at once: large enough to be fast, small enough that a service keeps answering meanwhile. */
const chunkRows = 1000;

/** Hands `rows` to `work` in chunks, as JSON for SQLite's `json_each`, giving the event loop a turn after each. */
export async function eachChunk<T>(
  rows: readonly T[],
  work: (json: string, chunk: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += chunkRows) {
    const chunk = rows.slice(start, start + chunkRows);
    await work(JSON.stringify(chunk), chunk);
    if (start + chunkRows < rows.length) await new Promise((resolve) => setImmediate(resolve));
  }
}
