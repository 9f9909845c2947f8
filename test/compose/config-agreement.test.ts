import { pino } from 'pino';
import { expect, test } from 'vitest';
import { watchConfigAgreement } from '../../src/compose/config-agreement.ts';
import { configSchema, type Config } from '../../src/config/schema.ts';
import { reconcile } from '../../src/server/store/repositories/projects/reconcile.ts';
import { temporaryStore } from '../server/ingest/fixture.ts';

const configOf = (...slugs: string[]): Config =>
  configSchema.parse({
    projects: slugs.map((slug) => ({
      slug,
      name: slug,
      servers: [{ id: `${slug}-1`, name: 'One', host: '192.0.2.1', port: 2302 }],
    })),
  });

async function watched(own: Config) {
  const db = await temporaryStore();
  await reconcile(db, own);
  const lines: string[] = [];
  const log = pino(
    {},
    { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const run = watchConfigAgreement(db, () => own, log);
  return {
    otherStores: async (other: Config) => void (await reconcile(db, other)),
    async look() {
      await run();
      return lines.splice(0);
    },
  };
}

test('a config that another process has stored is told once it lasts, and again once it differs anew', async () => {
  const own = configOf('a', 'b');
  const { look, otherStores } = await watched(own);
  expect([await look(), await look()]).toEqual([[], []]);
  const other = configOf('a', 'b');
  other.projects[1]!.servers[0]!.name = 'Other';
  for (let i = 0; i < 2; i += 1) {
    await otherStores(other);
    expect(await look()).toEqual([]);
    expect(await look()).toEqual([
      expect.stringMatching(/^another process .* config of b, by which.*SIGHUP/),
    ]);
    expect(await look()).toEqual([]);
    await otherStores(own);
    expect(await look()).toEqual(['the store follows the config of this process again']);
  }
});

test.each([
  ['lacks', configOf('a')],
  ['has besides', configOf('a', 'b', 'c')],
])('a project that the other config %s is named', async (_, other) => {
  const { look, otherStores } = await watched(configOf('a', 'b'));
  await otherStores(other);
  await look();
  expect(await look()).toEqual([expect.stringMatching(/config of [bc], by which/)]);
});

test('no config is told that is replaced within a minute, or while files of this one have mistakes', async () => {
  const own = configOf('a', 'b');
  const { look, otherStores } = await watched(own);
  await otherStores(configOf('a'));
  await look();
  await otherStores(configOf('b'));
  expect(await look()).toEqual([]);
  own.broken = [{ file: 'projects/c.yaml', error: new Error('mistake') as never, keptSlug: null }];
  expect([await look(), await look()]).toEqual([[], []]);
});
