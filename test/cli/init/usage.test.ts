import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { withInitOptions } from '../../../src/cli/init/options.ts';
import { run } from '../../../src/cli/program.ts';
import { newKeys } from '../../../packages/game-files/test/servers/sftp.ts';

/** Runs `outpost init`; the tests have no terminal. */
async function init(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines = { out: '', err: '' };
  const output = {
    out: (text: string) => void (lines.out += text),
    err: (text: string) => void (lines.err += text),
  };
  return { code: await run(['init', ...args], output), ...lines };
}

const folder = mkdtempSync(join(tmpdir(), 'outpost-init-usage-'));
const [secretFile, lockedKeyFile] = ['password', 'id_ed25519'].map((name) => join(folder, name)) as [
  string,
  string,
];
beforeAll(() => {
  writeFileSync(secretFile, 'secret');
  writeFileSync(lockedKeyFile, newKeys('open sesame').private);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('outpost init without a terminal', () => {
  it.each([
    [[], 'Nothing says where the game server is, and nobody is asked: name it with --folder, --login'],
    [
      ['--yes', '--no-server', '--discord-token-file', '/nowhere/token'],
      '--discord-token-file: there is no file /nowhere/token. Create it, or correct the path.',
    ],
    [['--yes', '--login', 'kim@127.0.0.1'], '--password-file is missing'],
    [
      ['--yes', '--login', 'kim@127.0.0.1:1', '--password-file', secretFile],
      'nothing accepts connections at 127.0.0.1, port 1 (ECONNREFUSED). Compare address, port',
    ],
    [
      ['--yes', '--login', 'ftp://kim@127.0.0.1:1', '--password-file', secretFile],
      'nothing accepts connections at 127.0.0.1, port 1 (ECONNREFUSED). Compare address, port',
    ],
    [
      ['--yes', '--login', 'kim@127.0.0.1:1', '--key-file', lockedKeyFile],
      `--passphrase-file is missing: ${lockedKeyFile} has a passphrase`,
    ],
    [['--yes', '--login', 'nonsense'], '--login: Expected an address such as sftp://user@host:2022'],
    [
      ['--yes', '--no-server', '--show', 'recap'],
      '--show: recap needs the bot in a Discord server, and the logs',
    ],
    [['--yes', '--folder', '/nowhere/serverDZ.cfg'], '--folder: There is no such file or folder: '],
  ])('with %j says what is wrong', async (args, message) => {
    const { code, err } = await init(...args);
    expect(err).toContain(message);
    expect(code).toBe(1);
    const json = await init(...args, '--json');
    expect(JSON.parse(json.out)).toEqual({ error: expect.any(String) });
    expect(json.err).toBe('');
  });

  it.each([
    ['--address 127.0.0.1 --query-port 70000', '--query-port: Expected a port from 1 to 65535'],
    ['--address 127.0.0.1 --timezone Berlin', '--timezone: Expected an IANA time zone'],
    ['--no-server --nitrado-service 1', '--nitrado-service has no effect beside the other options'],
    ['--no-server --password-file x', '--password-file has no effect beside the other options'],
    ['--no-server --folder x', '--folder has no effect beside the other options'],
    ['--no-server --address 127.0.0.1', '--address has no effect beside the other options'],
    ['--no-server --no-discord --channel general', '--channel has no effect beside the other options'],
    ['--no-server --show status,music', 'Expected some of status, leaderboard, recap, kill-feed and page'],
    ['--no-server --channel general', '--channel has no effect beside the other options'],
    [
      '--no-server --no-discord --discord-token-file x',
      '--discord-token-file has no effect beside the other options',
    ],
  ])('takes %s for wrong usage', async (options, message) => {
    const { code, out } = await init('--yes', ...options.split(' '), '--json');
    expect(JSON.parse(out)).toEqual({ error: expect.stringContaining(message) });
    expect(code).toBe(2);
  });

  it('says so of an unknown option', async () => {
    expect((await init('--yess')).code).toBe(2);
  });
});

it('names the store on PostgreSQL that is set, without its password', async () => {
  vi.stubEnv('OUTPOST_CONFIG', join(folder, 'with-store', 'outpost.yaml'));
  vi.stubEnv('OUTPOST_STORE_URL', 'postgres://outpost:s3cret@db.example.org:5432/outpost');
  vi.stubEnv('DISCORD_TOKEN', '');
  const { code, out, err } = await init('--yes', '--no-server');
  vi.unstubAllEnvs();
  expect(code, err).toBe(0);
  expect(out).toContain('Store:   postgres://db.example.org:5432/outpost; "outpost doctor" checks it');
  expect(out + err).not.toContain('s3cret');
});

it('takes several servers of Nitrado with commas, or one by one', () => {
  const command = withInitOptions(new Command());
  command.parse(['--nitrado-service', '1,2', '--nitrado-service', '3', '--folder', 'a'], { from: 'user' });
  expect(command.opts()).toMatchObject({ nitradoService: '1,2,3', folder: 'a' });
});
