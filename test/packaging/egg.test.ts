import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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
  const sources = ['src/compose/roles/api.ts', 'src/bot/bot.ts'].map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  for (const text of done) expect(sources.some((source) => source.includes(text))).toBe(true);
});

it('starts by the script that a release for Linux carries', () => {
  expect(egg.startup).toMatch(/^env .* bash outpost\/service\/panel-start\.sh$/);
  // The images of the panels run it as words, without a shell.
  expect(egg.startup).not.toMatch(/["';&|]/);
  expect(readFileSync(join(root, 'scripts/package/staging.ts'), 'utf8')).toContain('service/panel-start.sh');
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

  /** Runs the start script beside a program that prints how it is called and the secrets in files, and makes a config. */
  function start(variables: Record<string, string>): string {
    const program = [
      '#!/bin/bash',
      'echo "called: $*"',
      'for file in "$@"; do if [ -f "$file" ]; then cat "$file"; fi; done',
      'if [ "$1" = init ]; then mkdir -p config; touch config/outpost.yaml; fi',
      'if [ "$1 ${GAME_ADDRESS:-}" = "init refused" ]; then rm config/outpost.yaml; exit 1; fi',
    ];
    mkdirSync(join(server, 'outpost'), { recursive: true });
    writeFileSync(join(server, 'outpost/outpost'), `${program.join('\n')}\n`, { mode: 0o755 });
    const { stdout, stderr } = spawnSync('bash', [join(root, 'packaging/pterodactyl/start.sh')], {
      cwd: server,
      env: { PATH: process.env['PATH'], TMPDIR: folder, ...variables },
      encoding: 'utf8',
    });
    expect(readdirSync(folder).filter((name) => name.startsWith('tmp.'))).toEqual([]);
    return `${stdout}${stderr}`.replaceAll(/\S+\/password/g, 'FILE');
  }

  it.each([
    [
      { GAME_FILES: 'sftp://kim@host:2022', GAME_PASSWORD: 'p$1 "x"', GAME_TIMEZONE: 'Europe/Berlin' },
      'init --yes --login sftp://kim@host:2022 --password-file FILE --timezone Europe/Berlin\np$1 "x"\n',
    ],
    [
      { GAME_FILES: 'ftp://kim@host', GAME_PASSWORD: 'x', GAME_ADDRESS: '203.0.113.7:2302' },
      'init --yes --login ftp://kim@host --password-file FILE --address 203.0.113.7:2302\nx\n',
    ],
    [{ GAME_FILES: 'nitrado', GAME_PASSWORD: 'x' }, 'init --yes --nitrado-token-file FILE\nx\n'],
    [
      { GAME_ADDRESS: '203.0.113.7', DISCORD_CHANNEL: 'server status' },
      'init --yes --address 203.0.113.7 --channel server status\n',
    ],
  ])('makes a config of the variables %j at the first start', (variables, called) => {
    expect(start(variables)).toBe(`called: ${called}called: start\n`);
    expect(start(variables)).toBe('called: start\n');
  });

  it('starts nothing without a config, and says what is missing', () => {
    expect(start({ GAME_ADDRESS: 'refused' })).toBe('called: init --yes --address refused\n');
    expect(start({})).toMatch(
      /^There is no config yet\. Set the egg's variables .* or upload config\/outpost\.yaml/,
    );
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
