import { expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../../../../src/config/schema.ts';
import { openReader, openWriter } from '../../../../../src/server/store/engine/database.ts';
import { reconcile } from '../../../../../src/server/store/repositories/projects/reconcile.ts';
import { openNewDatabase } from '../../../../harness/new-store.ts';
import { northwood } from '../../../../harness/northwood.ts';

const options = { busyTimeoutMs: 5_000 };

it('stores the projects and servers of a config, and finds them when it is opened again', async () => {
  const store = await openNewDatabase(options);
  onTestFinished(store.close);
  const config = configSchema.parse(northwood());
  await reconcile(store.db, config);
  const again = await openWriter(store.location, options);
  await reconcile(again.db, config);
  await again.close();
  const reader = openReader(store.location);
  const servers = await reader.db.selectFrom('server').select(['name', 'port']).orderBy('port').execute();
  await reader.close();
  const expected = config.projects.flatMap((project) =>
    project.servers.map(({ name, port }) => ({ name, port })),
  );
  expect(servers).toEqual(expected.toSorted((a, b) => a.port - b.port));
});
