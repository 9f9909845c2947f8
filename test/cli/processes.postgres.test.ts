import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { compose } from '../../src/compose/compose.ts';
import { readConfig } from '../../src/config/load.ts';
import type { Role } from '../../src/config/roles.ts';
import { createStore, outpost } from '../harness/command-line.ts';
import { withoutDiscord } from '../harness/environment.ts';
import { directUrl, newDatabase, openNewDatabase } from '../harness/new-store.ts';
import { onServer } from '../harness/postgres-databases.ts';

const log = pino({ level: 'silent' });

interface Listed {
  processes: { host: string; pid: number; roles: string[]; since: string; holds: string[] }[];
  unheld: string[];
}

it('shows which process does what, and what no process does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-processes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = await openNewDatabase({ busyTimeoutMs: 10_000 });
  onTestFinished(store.close);
  const file = join(folder, 'outpost.yaml');
  const server = '{ id: north, name: N, game: dayz, host: localhost, port: 2302, timezone: UTC, logs: logs }';
  writeFileSync(file, `http: { port: 0 }\nprojects: [{ slug: p, name: P, servers: [${server}] }]`);
  vi.stubEnv('OUTPOST_CONFIG', file);
  vi.stubEnv('OUTPOST_STORE_URL', store.location);
  vi.stubEnv('DISCORD_TOKEN', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const listed = async (): Promise<Listed> => {
    const { code, out, err } = await outpost('processes', '--json');
    expect(code, `${err}${out}`).toBe(0);
    return JSON.parse(out) as Listed;
  };
  const start = async (role: Role) => {
    const environment = withoutDiscord(join(folder, role), { storeUrl: store.location });
    return await compose({ config: readConfig(file), environment, roles: [role], log });
  };

  expect((await listed()).processes).toEqual([]);
  expect((await outpost('doctor')).out).toContain(': none is running');
  const api = await start('api');
  onTestFinished(api.close);
  const poll = await start('poll');
  const polled = Array.from({ length: 16 }, (_, index) => `poll:${index}`);
  await expect.poll(async () => (await listed()).unheld).toEqual(['follow:north']);
  const { processes } = await listed();
  const own = { host: hostname(), pid: process.pid, since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) };
  expect(processes).toMatchObject([
    { ...own, roles: ['api'] },
    { ...own, roles: ['poll'] },
  ]);
  const held = processes.flatMap(({ holds }) => holds);
  expect(held.toSorted()).toEqual([...polled, 'upkeep'].toSorted());
  const { out } = await outpost('processes');
  expect(out).toContain(`${hostname()}  pid ${process.pid}  poll  since 20`);
  expect(out).toContain('poll      0, 1, 2, 3,');
  expect(out).toContain('! no process does\n  follow    north');

  const diagnosis = await outpost('doctor', '--json');
  expect(JSON.parse(diagnosis.out)).toMatchObject({
    findings: expect.arrayContaining([
      expect.objectContaining({
        key: 'processes',
        status: 'warning',
        found: 'no process does: follow north',
      }),
    ]),
  });
  expect(diagnosis.out).not.toContain('Outpost is not running');

  await poll.close();
  expect((await listed()).unheld).toEqual(expect.arrayContaining([...polled, 'follow:north']));
});

it('says what to do about a database without a store, one that is away, and one that its user may not read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-processes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = await newDatabase();
  onTestFinished(database.drop);
  vi.stubEnv('OUTPOST_CONFIG', join(folder, 'outpost.yaml'));
  writeFileSync(join(folder, 'outpost.yaml'), 'projects: [{ slug: p, name: P }]');
  onTestFinished(() => void vi.unstubAllEnvs());
  const problem = async (url: string, command = 'processes'): Promise<string> => {
    vi.stubEnv('OUTPOST_STORE_URL', url);
    return (await outpost(command)).err;
  };
  expect(await problem(database.url)).toMatch(/^there is no store at postgres:.*OUTPOST_STORE_URL/);
  const away = Object.assign(new URL(database.url), { port: '1' });
  expect(await problem(away.href)).toMatch(/nothing answers there\. Start PostgreSQL/);

  vi.stubEnv('OUTPOST_STORE_URL', database.url);
  await createStore();
  const role = `outpost_${database.name}`;
  await onServer(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
  onTestFinished(
    async () => void (await onServer(database.url, `DROP OWNED BY ${role}`, `DROP ROLE ${role}`)),
  );
  const stranger = Object.assign(new URL(directUrl(database.url)), { username: role, password: 'x' });
  expect(await problem(stranger.href)).toMatch(/may not create or use tables there\. Let the user own/);
  await onServer(database.url, `GRANT SELECT ON kysely_migration TO ${role}`);
  const refused =
    /^the store cannot be used: permission denied for table lease_candidate\. Let the user .* own [^\n]*\n?$/;
  expect(await problem(stranger.href)).toMatch(refused);
  expect(await problem(stranger.href, 'check-config')).not.toContain('permission denied');
});

it('says that a store in a file has one process', async () => {
  vi.stubEnv('OUTPOST_STORE_URL', '');
  vi.stubEnv('OUTPOST_CONFIG', join(tmpdir(), 'no-such-outpost.yaml'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, err } = await outpost('processes');
  expect([code, err]).toEqual([1, expect.stringContaining('one process uses alone')]);
});
