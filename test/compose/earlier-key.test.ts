import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { compose } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema.ts';
import { openWriter, storeFile } from '../../src/server/store/engine/database.ts';
import { forgetPlayer } from '../../src/server/store/repositories/rights/forget-player.ts';
import { withoutDiscord } from '../harness/environment.ts';
import { steamA, temporaryFolder } from '../server/ingest/fixture.ts';
import { takeKeyOut } from '../server/store/repositories/rights/rights-world.ts';

test('the start stores the key that an earlier version had in a variable, and says that it can be deleted', async () => {
  const dataFolder = join(temporaryFolder(), 'data');
  const lines: string[] = [];
  const start = async (forgottenKey?: string): Promise<void> => {
    lines.length = 0;
    const outpost = await compose({
      config: configSchema.parse({ http: { port: 0 }, projects: [{ slug: 'p', name: 'P' }] }),
      environment: withoutDiscord(dataFolder, { forgottenKey }),
      log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    });
    await outpost.close();
  };
  const { db, close } = await openWriter(storeFile(dataFolder), { busyTimeoutMs: 1_000 });
  await forgetPlayer(db, { identity: { steamId64: steamA } });
  const key = await takeKeyOut(db);
  await close();
  await expect(start()).rejects.toThrow(/the key of the list of forgotten players is missing/);
  await expect(start('ab'.repeat(32))).rejects.toThrow(/the key of the list of forgotten players is missing/);
  await start(key);
  expect(lines).toEqual([expect.stringContaining('OUTPOST_FORGOTTEN_KEY can be deleted')]);
  await start();
  expect(lines).toEqual([]);
});
