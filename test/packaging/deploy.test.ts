import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseRoles } from '../../src/config/roles.ts';
import { selfSigned } from '../../packages/game-files/test/servers/certificate.ts';

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)), 'utf8');
const isHere = (program: string, ...args: string[]): boolean => spawnSync(program, args).error === undefined;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-deploy-'));
  const { key, cert } = selfSigned();
  await writeFile(join(folder, 'privkey.pem'), key);
  await writeFile(join(folder, 'fullchain.pem'), cert);
  await writeFile(join(folder, 'outpost.pem'), `${cert}\n${key}`);
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

/** Writes an example with the certificate of this test. */
async function adapted(name: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, read(name).replaceAll('/etc/ssl/outpost', folder));
  return file;
}

it.skipIf(!isHere('/usr/sbin/nginx', '-v'))('nginx takes the example (needs nginx)', async () => {
  const file = await adapted('nginx.conf');
  const { status, stderr } = spawnSync('/usr/sbin/nginx', ['-t', '-c', file], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('successful') });
});

it.skipIf(!isHere('/usr/sbin/haproxy', '-v'))('HAProxy takes the example (needs HAProxy)', async () => {
  const file = await adapted('haproxy.cfg');
  const { status, stderr } = spawnSync('/usr/sbin/haproxy', ['-c', '-f', file], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('the compose file has two processes for each role, with roles that exist', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, { environment?: Record<string, string> }>;
  };
  const roles = Object.values(services).flatMap(({ environment }) => {
    const list = environment?.['OUTPOST_ROLES'];
    if (list === undefined) return [];
    expect(environment?.['OUTPOST_STORE_URL']).toMatch(/^postgres:/);
    const parsed = parseRoles(list);
    if (parsed === null) throw new Error(`expected roles, found ${list}`);
    return parsed;
  });
  const counts = new Map(roles.map((role) => [role, roles.filter((one) => one === role).length]));
  expect(counts).toEqual(
    new Map([
      ['api', 4],
      ['poll', 2],
      ['follow', 2],
      ['bot', 2],
    ]),
  );
});
