import { pino } from 'pino';
import { expect, it } from 'vitest';
import { storeConfig } from '../../src/compose/store-config.ts';
import { ConfigError } from '../../src/config/error.ts';
import { type Config, configSchema } from '../../src/config/schema.ts';
import { northwood } from '../harness/northwood.ts';
import { temporaryStore } from '../server/ingest/fixture.ts';

const configured = (): Config => {
  const config = configSchema.parse(northwood());
  return {
    ...config,
    projects: config.projects.map((project) => ({ ...project, file: `${project.slug}.yaml` })),
  };
};

it('keeps a project as it was that the store refuses, and takes the others over', async () => {
  const db = await temporaryStore([]);
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const before = await storeConfig(db, configured(), null, log);
  expect(before.broken).toBeUndefined();

  const next = configured();
  const [north, south] = next.projects;
  next.projects = [
    { ...north!, name: 'Renamed' },
    { ...south!, name: 'Thief', servers: north!.servers },
  ];
  const counts = await storeConfig(db, next, before, log);
  expect(counts.projects.map(({ name }) => name)).toEqual(['Renamed', 'Southshore']);
  expect(counts.projects[1]).toEqual(before.projects[1]);
  expect(counts.broken).toMatchObject([{ file: 'southshore.yaml', keptSlug: 'southshore' }]);
  expect(lines.join('')).toContain('the project southshore stays as it was before: the server id');
  const names = await db
    .selectFrom('project')
    .select('name')
    .where('active', '=', 1)
    .orderBy('name')
    .execute();
  expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(['Renamed', 'Southshore']));

  // What never was in the store is left out.
  const first = configured();
  first.projects.push({ ...first.projects[1]!, slug: 'west', servers: north!.servers, banlists: [] });
  const started = await storeConfig(db, first, null, log);
  expect(started.projects.map(({ slug }) => slug)).toEqual(['northwood', 'southshore']);
  expect(started.broken).toMatchObject([{ keptSlug: null }]);
});

it('refuses the whole config where the config file itself has the mistake', async () => {
  const db = await temporaryStore([]);
  const log = pino({ level: 'silent' });
  const before = await storeConfig(db, configSchema.parse(northwood()), null, log);
  const next = configSchema.parse(northwood());
  next.projects[1]!.servers = next.projects[0]!.servers;
  await expect(storeConfig(db, next, before, log)).rejects.toThrow(/belongs to another project/);
});

it('replaces what another process has stored when it is reloaded, though nothing has changed here', async () => {
  const db = await temporaryStore([]);
  const log = pino({ level: 'silent' });
  const own = configSchema.parse(northwood());
  const suspended = async () =>
    await db.selectFrom('project').select(['slug', 'suspended']).where('suspended', '=', 1).execute();
  await storeConfig(db, own, null, log);
  await storeConfig(db, configSchema.parse(northwood({ suspended: true })), null, log);
  expect(await suspended()).toHaveLength(1);
  const broken = [{ file: 'x.yaml', error: new ConfigError('mistake'), keptSlug: null }];
  await storeConfig(db, { ...own, broken }, own, log);
  expect(await suspended()).toHaveLength(1);
  await storeConfig(db, own, own, log);
  expect(await suspended()).toEqual([]);
});
