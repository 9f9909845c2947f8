import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../harness/parse-config.ts';
import { readMessagesFile } from '../../../../src/server/ingest/schedules/messages-file.ts';
import { reconcile } from '../../../../src/server/store/repositories/projects/reconcile.ts';
import { listSchedules } from '../../../../src/server/store/repositories/projects/servers.ts';
import { header, samples, temporaryFiles, temporaryFolder, temporaryStore } from '../fixture.ts';
import { createSourceWatch, importLogs } from '../../../harness/logs.ts';

const sample = (name: string) => join(samples, 'messages', name);

describe('messages.xml', () => {
  test.each([
    ['shutdown.xml', { messages: 2, restartMinutes: 240 }],
    ['comments-only.xml', { messages: 0, restartMinutes: null }],
    // Deadlines without a shutdown: they count down to somebody else's restart.
    ['deadlines.xml', { messages: 4, restartMinutes: null }],
  ])('%s', async (name, content) => {
    expect(await readMessagesFile('dayz', sample(name))).toEqual(content);
  });

  test('one that is too large to be one is not read', async () => {
    const [path] = temporaryFiles({ 'messages.xml': Buffer.alloc(5 * 1024 * 1024, ' ') }) as [string];
    await expect(readMessagesFile('dayz', path)).rejects.toThrow(
      /messages\.xml: cannot be read: it is larger than/,
    );
  });
});

describe('a schedule from messages.xml', () => {
  async function scheduled(content: string, more = '') {
    const db = await temporaryStore([]);
    const path = join(temporaryFolder(), 'messages.xml');
    writeFileSync(path, content);
    const config = parseConfig(
      `projects: [{ slug: q, name: Q, servers: [{ id: s, name: S, host: h, port: 2302, timezone: Europe/Berlin,
        schedules: [{ source: messages.xml, file: '${path}'${more} }, { kind: WIPE, title: W, recurrence: DAILY, timeOfDay: '04:00', public: true }] }] }]`,
      'outpost.yaml',
    );
    await reconcile(db, config);
    const watch = createSourceWatch(db);
    const servers = config.projects.flatMap((project) => project.servers);
    const look = async () => await watch.followOn({ servers, banlists: [] });
    const restarts = async () => (await listSchedules(db, 's')).filter(({ kind }) => kind === 'RESTART');
    return { db, path, config, look, restarts };
  }
  const restartAfter = (minutes: number) =>
    readFileSync(sample('shutdown.xml'), 'utf8').replace('>240<', `>${minutes}<`);

  test('is a public restart counted from the latest start in a log', async () => {
    const { db, path, look, restarts } = await scheduled(restartAfter(240));
    expect(await restarts()).toEqual([]);
    expect(await look()).toEqual([
      { kind: 'messages', id: 's', path, report: { messages: 2, restartMinutes: 240 } },
    ]);
    const restart = {
      kind: 'RESTART',
      title: 'Restart',
      recurrence: 'INTERVAL',
      intervalMinutes: 240,
      weekdays: [],
      timezone: 'Europe/Berlin',
    };
    // Without a log nobody knows when the server was started, and the schedule says so.
    expect(await restarts()).toEqual([
      { ...restart, timeOfDay: null, description: expect.stringContaining('no log shows yet') },
    ]);
    const logs = { 'a.ADM': header('2024-05-01 06:03:12'), 'b.ADM': header('2024-04-30 22:00:00') };
    await importLogs(db, { serverId: 's', files: temporaryFiles(logs) });
    expect(await restarts()).toEqual([{ ...restart, timeOfDay: '06:03', description: null }]);
  });

  test('that is switched off is not read', async () => {
    const { look, path } = await scheduled(restartAfter(240), ', active: false');
    rmSync(path);
    expect(await look()).toEqual([]);
  });

  test('follows the file, keeps what it had while the file cannot be read, and stays through a restart of Outpost', async () => {
    const { db, path, config, look, restarts } = await scheduled(
      restartAfter(240),
      ", title: Reboot, description: 'Save!'",
    );
    await look();
    writeFileSync(path, restartAfter(180));
    expect(await look()).toEqual([]);
    await look();
    expect(await restarts()).toMatchObject([{ title: 'Reboot', intervalMinutes: 180 }]);
    expect((await restarts())[0]?.description).toMatch(/^Save! It counts from/);
    writeFileSync(path, '<messages>');
    await look();
    expect(await look()).toMatchObject([{ path, error: expect.stringContaining('is not XML') }]);
    rmSync(path);
    expect(await look()).toMatchObject([{ error: 'no such file' }]);
    expect(await look()).toEqual([]);
    await reconcile(db, config);
    expect(await restarts()).toMatchObject([{ intervalMinutes: 180 }]);
    writeFileSync(path, '<messages></messages>');
    await look();
    expect(await look()).toMatchObject([{ recovered: true, report: { restartMinutes: null } }]);
    expect(await restarts()).toEqual([]);
  });

  test('that two servers share is read only once it stands still', async () => {
    const { db, path, config } = await scheduled(restartAfter(60));
    const servers = config.projects.flatMap((project) => project.servers);
    const both = [...servers, ...servers.map((server) => ({ ...server, id: 't' }))];
    const watch = createSourceWatch(db);
    const look = async () => await watch.followOn({ servers: both, banlists: [] });
    for (let times = 0; times < 2; times += 1) await look();
    writeFileSync(path, restartAfter(120));
    expect(await look()).toEqual([]);
    expect(await look()).toMatchObject([
      { id: 's', report: { restartMinutes: 120 } },
      { id: 't', report: { restartMinutes: 120 } },
    ]);
  });

  test('may be kept from the service', async () => {
    const { look, restarts } = await scheduled(restartAfter(240), ', public: false');
    await look();
    expect(await restarts()).toEqual([]);
  });

  test('of more than a day, which has no fixed time of day, is left to the config', async () => {
    const { look, restarts } = await scheduled(restartAfter(2880));
    expect(await look()).toMatchObject([{ error: expect.stringContaining('2,880 minutes after its start') }]);
    expect(await restarts()).toEqual([]);
  });
});

test('the file is found beside players.db when the config does not name it', () => {
  const servers = (keys: string) =>
    `projects: [{ slug: a, name: A, servers: [{ id: s, name: S, host: h, port: 1, ${keys} }] }]`;
  const config = parseConfig(
    servers('playersDb: /m/storage_1/players.db, schedules: [{ source: messages.xml }]'),
    'x.yaml',
  );
  expect(config.projects[0]?.servers[0]?.schedules).toMatchObject([
    { file: join('/m', 'db', 'messages.xml') },
  ]);
  expect(() => parseConfig(servers('schedules: [{ source: messages.xml }]'), 'x.yaml')).toThrow(
    /schedules\[0\]\.file: expected the path of messages\.xml/,
  );
});
