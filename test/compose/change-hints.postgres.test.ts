import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { compose } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema.ts';
import { withoutDiscord } from '../harness/environment.ts';
import { directUrl, openNewDatabase } from '../harness/new-store.ts';
import { idA, run, temporaryFolder } from '../server/ingest/fixture.ts';

test('a process sends a hint for what it reads from logs, and for a changed config', async () => {
  const store = await openNewDatabase({ busyTimeoutMs: 10_000 });
  onTestFinished(store.close);
  const direct = directUrl(store.location);
  const other = new Client({ connectionString: direct });
  await other.connect();
  onTestFinished(() => other.end());
  /** A process that starts to listen sends one with a text to itself. */
  const heard: string[] = [];
  other.on('notification', ({ payload = '' }) => heard.push(payload === '' ? 'hint' : 'start'));
  await other.query('LISTEN outpost_changes');

  const folder = temporaryFolder();
  const log = join(folder, 'x.ADM');
  writeFileSync(log, run(`12:00:01 | Player "Ann"(id=${idA}) is connected`));
  const config = (name: string) =>
    configSchema.parse({
      projects: [
        {
          slug: 'p',
          name,
          servers: [{ id: 's', name: 'S', host: '127.0.0.1', port: 2302, logs: folder }],
        },
      ],
    });
  const outpost = await compose({
    config: config('P'),
    roles: ['follow'],
    environment: withoutDiscord(join(folder, 'data'), {
      storeUrl: store.location,
      storeListenUrl: direct,
    }),
    log: pino({ level: 'silent' }),
  });
  onTestFinished(outpost.close);
  const players = async (): Promise<number> =>
    (await store.db.selectFrom('player').select('id').execute()).length;
  await expect.poll(players).toBe(1);
  await expect.poll(() => heard).toContain('start');

  heard.length = 0;
  appendFileSync(
    log,
    '12:05:00 | Player "Bob"(id=z5r1jt0RyoFZA4t6NsB3n_huP5XbiBWQH_fM27rY4HY=) is connected\n',
  );
  await expect.poll(() => heard).toContain('hint');
  heard.length = 0;
  await outpost.reload(config('Q'));
  await expect.poll(() => heard).toContain('hint');
});
