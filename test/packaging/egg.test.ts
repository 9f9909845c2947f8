import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = join(root, 'packaging/pterodactyl/install.sh');
const egg = JSON.parse(readFileSync(join(root, 'packaging/pterodactyl/egg-outpost.json'), 'utf8')) as {
  startup: string;
  config: { startup: string; stop: string };
  scripts: { installation: { script: string } };
  variables: { env_variable: string }[];
};

it('installs by the script beside it', () => {
  expect(egg.scripts.installation.script).toBe(readFileSync(script, 'utf8'));
});

it('stops with SIGINT and recognises a start by lines that Outpost logs', () => {
  expect(egg.config.stop).toBe('^C');
  const { done } = JSON.parse(egg.config.startup) as { done: string[] };
  const sources = ['src/compose/listen.ts', 'src/bot/bot.ts'].map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  for (const text of done) expect(sources.some((source) => source.includes(text))).toBe(true);
});

const canInstall = ['bash', 'curl', 'sha256sum', 'tar'].every(
  (name) => spawnSync(name, ['--version']).status === 0,
);

describe.skipIf(!canInstall)('the installation (needs bash, curl, sha256sum and tar)', () => {
  let folder: string;
  let server: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'outpost-egg-'));
    server = join(folder, 'server');
    mkdirSync(server);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A release that holds nothing but its version and the configs; its digest. */
  async function release(version: string): Promise<string> {
    const name = `outpost-${version}-linux-x64`;
    mkdirSync(join(folder, name, 'config'), { recursive: true });
    writeFileSync(join(folder, name, 'outpost'), version);
    for (const config of ['outpost.example.yaml', 'outpost.schema.json', 'project.schema.json']) {
      writeFileSync(join(folder, name, 'config', config), version);
    }
    const file = join(folder, 'release.tar.gz');
    await create({ cwd: folder, gzip: true, file }, [name]);
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  }
  const install = (digest: string): string =>
    execFileSync('bash', [script], {
      env: {
        PATH: process.env['PATH'],
        SERVER_FOLDER: server,
        ARCHIVE_URL: pathToFileURL(join(folder, 'release.tar.gz')).href,
        ARCHIVE_SHA256: digest,
      },
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const installed = (): string => readFileSync(join(server, 'outpost/outpost'), 'utf8');

  it('replaces the program, and keeps the config and the data', async () => {
    install(await release('1.0.0'));
    writeFileSync(join(server, 'config/outpost.yaml'), 'mine');
    mkdirSync(join(server, 'data'));
    const said = install(await release('1.1.0'));
    expect(said).toContain('config/outpost.yaml');
    expect(installed()).toBe('1.1.0');
    expect(readFileSync(join(server, 'config/outpost.yaml'), 'utf8')).toBe('mine');
    expect(existsSync(join(server, 'data'))).toBe(true);
    expect(existsSync(join(server, 'release.tar.gz'))).toBe(false);
  });

  it('keeps the program when the archive is not the expected one', async () => {
    install(await release('1.0.0'));
    await release('6.6.6');
    expect(() => install('0'.repeat(64))).toThrow(
      /has another SHA-256 than expected\. .* Nothing was changed/,
    );
    expect(installed()).toBe('1.0.0');
  });
});
