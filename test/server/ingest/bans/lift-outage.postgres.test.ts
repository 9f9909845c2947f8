import { expect, onTestFinished, test } from 'vitest';
import { openWriter } from '../../../../src/server/store/engine/database.ts';
import { createSourceWatch } from '../../../harness/logs.ts';
import { directUrl, openNewDatabase } from '../../../harness/new-store.ts';
import { temporaryFiles } from '../fixture.ts';

test('the first poll of a ban list while the store is away ends nothing', async () => {
  const store = await openNewDatabase();
  const writer = await openWriter(directUrl(store.location));
  onTestFinished(writer.close);
  const [file = ''] = temporaryFiles({ 'ban.txt': '76561198997143768\n' });
  // Dropped with the database: every statement fails.
  await store.close();
  const watch = createSourceWatch(writer.db);
  const outcomes = await watch.followOn({
    servers: [],
    banlists: [{ id: 'bans', sources: [{ file, format: 'dayz' }] }],
  });
  expect(outcomes).toMatchObject([{ kind: 'bans', id: 'bans', error: expect.stringContaining('store') }]);
});
