import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { writeSetup } from '../../src/cli/init/write-setup.ts';
import { outpost } from '../harness/command-line.ts';

let folder: string;
let configFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-projects-cli-'));
  configFile = join(folder, 'outpost.yaml');
  vi.stubEnv('OUTPOST_CONFIG', configFile);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  mkdirSync(join(folder, 'projects'));
  writeFileSync(configFile, 'discord: {}\n');
  write('alpha', project('alpha'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const fileOf = (name: string): string => join(folder, 'projects', `${name}.yaml`);
const write = (name: string, text: string): void => writeFileSync(fileOf(name), text);
const project = (slug: string): string => `slug: ${slug}
name: ${slug}
servers: [{ id: ${slug}-1, name: S, host: 127.0.0.1, port: 2302, active: false }]
guilds: [{ id: '110000000000000${slug.charCodeAt(0)}00' }]
`;

it('check-config counts the projects of all files, and names each mistake with its file and line', async () => {
  write('bravo', `${project('bravo')}plam: PRO\n`);
  const { code, out } = await outpost('check-config');
  expect(code).toBe(1);
  expect(out).toContain(`✗ plam  ${fileOf('bravo')}, line 5: unknown key; expected one of slug,`);
  write('bravo', project('bravo'));
  expect((await outpost('check-config')).out).toContain('2 projects, 2 servers');
});

it('init refuses an id that the file of a project has, and writes nothing', async () => {
  rmSync(configFile);
  const write = async (slug: string) =>
    await writeSetup({
      configFile,
      config: { text: `projects:\n  - { slug: ${slug}, name: x, servers: [] }\n`, secrets: new Map() },
      envFile: join(folder, '.env'),
      variable: () => undefined,
    });
  await expect(write('alpha')).rejects.toThrow(
    /slug: expected a unique slug: "alpha" is already used in .*outpost\.yaml[^]*nothing was written/,
  );
  expect(existsSync(configFile)).toBe(false);
  await write('other');
  expect(existsSync(configFile)).toBe(true);
});
