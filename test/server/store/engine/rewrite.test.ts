import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openWriter, storeFile } from '../../../../src/server/store/engine/database.ts';
import { SQLite } from '../../../../src/server/store/engine/driver.ts';
import { rewriting } from '../../../../src/server/store/engine/sqlite/rewrite.ts';
import { temporaryFolder } from '../../ingest/fixture.ts';

/** A store that another connection is writing, and a writer that waits for it a moment only. */
async function busyStore() {
  const file = storeFile(temporaryFolder());
  const writer = await openWriter(file, { busyTimeoutMs: 1 });
  const other = new SQLite(file);
  other.exec('BEGIN IMMEDIATE');
  const write = async () => await sql`UPDATE rights SET revision = revision + 1`.execute(writer.db);
  const close = async () => {
    other.close();
    await writer.close();
  };
  return { file, write, other, close };
}

test('writers wait for a store that is written anew, though longer than for other writers', async () => {
  const [busy, rewritten] = [await busyStore(), await busyStore()];
  let state = 'waits';
  let writing: Promise<unknown> = Promise.resolve();
  await rewriting(rewritten.file, async () => {
    writing = rewritten.write().then(
      () => (state = 'written'),
      () => (state = 'failed'),
    );
    for (let tries = 0; tries < 5; tries += 1)
      await expect(busy.write()).rejects.toThrow('database is locked');
    expect(state).toBe('waits');
    rewritten.other.exec('COMMIT');
    await writing;
  });
  expect(state).toBe('written');
  await busy.close();
  await rewritten.close();
});
