import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { compose } from '../../src/compose/compose.ts';
import { createEmbeddedClient } from '../../src/compose/embedded-client.ts';
import { configSchema } from '../../src/config/schema.ts';
import { systemClock } from '../../src/process/clock.ts';
import { deleteEmbeddedApplications } from '../../src/server/store/repositories/applications/applications.ts';
import { withoutDiscord } from '../harness/environment.ts';
import { openNewDatabase } from '../harness/new-store.ts';
import { temporaryFolder } from '../server/ingest/fixture.ts';

test('a bot that was silent for a day reads on after another process has started', async () => {
  const store = await openNewDatabase({ busyTimeoutMs: 10_000 });
  onTestFinished(store.close);
  const outpost = await compose({
    config: configSchema.parse({ http: { port: 0 }, projects: [{ slug: 'p', name: 'P' }] }),
    roles: ['api'],
    environment: withoutDiscord(join(temporaryFolder(), 'data'), { storeUrl: store.location }),
    log: pino({ level: 'silent' }),
  });
  onTestFinished(outpost.close);
  const bot = createEmbeddedClient(store.db, outpost.url, 'p', systemClock).as('duties');
  expect(await bot.getProject()).toMatchObject({ stale: false });

  const longAgo = Date.now() - 25 * 3_600_000;
  await store.db.updateTable('application').set({ last_used_at: longAgo, created_at: longAgo }).execute();
  await deleteEmbeddedApplications(store.db);
  expect(await store.db.selectFrom('application').select('id').execute()).toEqual([]);
  // The service may know the application for another second.
  await delay(2_000);
  expect(await bot.listServers()).toMatchObject({ stale: false });
});
