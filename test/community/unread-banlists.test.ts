import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createUnreadBanlists } from '../../src/community/unread-banlists.ts';
import { configSchema } from '../../src/config/schema.ts';
import { openWriter, storeFile } from '../../src/server/store/engine/database.ts';
import { saveSourceStates } from '../../src/server/store/repositories/logs/source-states.ts';
import { reconcile } from '../../src/server/store/repositories/projects/reconcile.ts';
import { createSourceWatch } from '../harness/logs.ts';
import { temporaryFolder } from '../server/ingest/fixture.ts';
import { storedFrom } from './stored.ts';

test('names ban lists of the project that were not read yet, or not the last time', async () => {
  const folder = temporaryFolder();
  const writer = await openWriter(storeFile(folder));
  onTestFinished(() => writer.close());
  const list = (id: string, file: string) => ({
    id,
    name: 'List',
    sources: [{ file: join(folder, file), format: 'battleye' }],
  });
  const config = configSchema.parse({
    projects: [
      { slug: 'p', name: 'P', banlists: [list('b', 'bans.txt')] },
      { slug: 'q', name: 'Q', banlists: [list('other', 'none.txt')] },
    ],
  });
  await reconcile(writer.db, config);
  writeFileSync(join(folder, 'bans.txt'), 'no bans\n');
  const watch = createSourceWatch(writer.db);
  const poll = async () => {
    for (const { servers, banlists } of config.projects) await watch.importChanged({ servers, banlists });
  };
  const unread = createUnreadBanlists(storedFrom(() => config, writer.db));
  expect(await unread()).toEqual(new Set(['b']));
  await poll();
  await poll();
  expect(await unread()).toEqual(new Set(['b']));
  // A mistyped path, which the owner has corrected since, without a restart.
  const mistyped = { kind: 'bans', ownerId: 'b', path: join(folder, 'ban.txt') };
  await saveSourceStates(writer.db, [{ ...mistyped, report: null, error: 'no such file' }], Date.now());
  writeFileSync(join(folder, 'bans.txt'), `${'f'.repeat(32)} -1 Cheating\n`);
  await poll();
  expect(await unread()).toEqual(new Set());
});
