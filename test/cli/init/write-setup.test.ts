import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withVariables, writeSetup } from '../../../src/cli/init/write-setup.ts';
import { canMountDisks, smallDisk } from '../../harness/small-disk.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-write-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const text = 'projects: [{ slug: x, name: X }]\n';
const secrets = new Map([['DISCORD_TOKEN', 'abc']]);
const at = (name: string): string => join(folder, name);
const write = async (
  change: Partial<Parameters<typeof writeSetup>[0]> = {},
  rename?: Parameters<typeof writeSetup>[1],
): Promise<string[]> =>
  await writeSetup(
    {
      configFile: at('config/outpost.yaml'),
      config: { text, secrets },
      envFile: at('.env'),
      variable: () => undefined,
      ...change,
    },
    rename,
  );
const isWindows = process.platform === 'win32';

describe('a setup is written', () => {
  it('as config and .env, which only its owner may read', async () => {
    await write();
    expect(readFileSync(at('config/outpost.yaml'), 'utf8')).toBe(text);
    expect(readFileSync(at('.env'), 'utf8')).toBe('DISCORD_TOKEN=abc\n');
    if (!isWindows) expect(statSync(at('.env')).mode & 0o777).toBe(0o600);
    expect([...readdirSync(folder), ...readdirSync(at('config'))]).toEqual([
      '.env',
      'config',
      'outpost.yaml',
    ]);
  });

  it('without .env where there are no secrets', async () => {
    await write({ config: { text, secrets: new Map() } });
    expect(existsSync(at('.env'))).toBe(false);
  });

  it('never over a config, nor is .env touched then', async () => {
    mkdirSync(at('config'));
    writeFileSync(at('config/outpost.yaml'), 'mine');
    writeFileSync(at('.env'), 'MINE=1\n');
    await expect(write()).rejects.toThrow(/There is a config at .* already, so nothing was written/);
    expect(readFileSync(at('config/outpost.yaml'), 'utf8')).toBe('mine');
    expect(readFileSync(at('.env'), 'utf8')).toBe('MINE=1\n');
  });

  it.skipIf(!canMountDisks)('or not at all where the disk is full', async ({ skip }) => {
    const disk = smallDisk(1);
    if (disk === null) return skip();
    const configFile = join(disk.folder, 'a/config/outpost.yaml');
    // With one block left, a part of the text can be written.
    for (const [blocks, long] of [
      [0, text],
      [1, `# ${'x'.repeat(8_000)}\n${text}`],
    ] as const) {
      disk.fill(blocks);
      await expect(
        write({ configFile, config: { text: long, secrets }, envFile: join(disk.folder, '.env') }),
      ).rejects.toThrow(/^No config was written\..*ENOSPC/);
      disk.clear();
      expect(readdirSync(disk.folder, { recursive: true })).toEqual(['a', join('a', 'config')]);
    }
  });

  it('into the .env that is there, whose other lines stay', async () => {
    writeFileSync(at('.env'), '# mine\nLOG_LEVEL=debug\nDISCORD_TOKEN=\n\nOTHER="a b"\n', { mode: 0o644 });
    await write();
    expect(readFileSync(at('.env'), 'utf8')).toBe(
      '# mine\nLOG_LEVEL=debug\nDISCORD_TOKEN=abc\n\nOTHER="a b"\n',
    );
    if (!isWindows) expect(statSync(at('.env')).mode & 0o777).toBe(0o600);
  });

  it.skipIf(isWindows)('through a link to the .env', async () => {
    mkdirSync(at('secrets'));
    writeFileSync(at('secrets/env'), 'A=1\n');
    symlinkSync(at('secrets/env'), at('.env'));
    await write();
    expect(readFileSync(at('secrets/env'), 'utf8')).toBe('A=1\nDISCORD_TOKEN=abc\n');
  });

  it('not at all where the config cannot be written', async () => {
    writeFileSync(at('config'), 'a file');
    writeFileSync(at('.env'), 'A=1\n');
    await expect(write()).rejects.toThrow(/No config was written. Cannot write .*config/);
    expect(readFileSync(at('.env'), 'utf8')).toBe('A=1\n');
    expect(readdirSync(folder).toSorted()).toEqual(['.env', 'config']);
  });

  it('with the secrets alone where the config cannot be moved into place', async () => {
    const refusing = async (from: string, to: string): Promise<void> => {
      if (to.endsWith('outpost.yaml')) throw Object.assign(new Error('busy'), { code: 'EBUSY', path: from });
      renameSync(from, to);
    };
    await expect(write({}, refusing)).rejects.toThrow(
      /^No config was written\. Cannot write .*outpost\.yaml: another program has that file open/,
    );
    expect(readFileSync(at('.env'), 'utf8')).toBe('DISCORD_TOKEN=abc\n');
    expect(readdirSync(at('config'))).toEqual([]);
  });

  it.skipIf(isWindows)('in the place of a link into nowhere', async () => {
    mkdirSync(at('config'));
    symlinkSync(at('nowhere'), at('config/outpost.yaml'));
    await write();
    expect(readFileSync(at('config/outpost.yaml'), 'utf8')).toBe(text);
  });

  it('not at all where the service would refuse the config', async () => {
    const config = { text: 'projects: [{}]\n', secrets };
    await expect(write({ config })).rejects.toThrow(/has \d mistakes:[^]*nothing was written/);
    expect(readdirSync(folder, { recursive: true })).toEqual(['config']);
  });

  it('and names the variables that the environment has with other values', async () => {
    expect(await write({ variable: () => 'other' })).toEqual(['DISCORD_TOKEN']);
  });

  it('not at all where .env is not readable as text', async () => {
    writeFileSync(at('.env'), Buffer.from('\uFEFFA=1\n', 'utf16le'));
    await expect(write()).rejects.toThrow(/is UTF-16, but UTF-8 was expected/);
    expect(existsSync(at('config/outpost.yaml'))).toBe(false);
  });
});

describe('a secret in .env', () => {
  it.each([
    'abc',
    'a b',
    'a#b',
    '#a',
    "it's",
    'say "x"',
    'a=b',
    'a\\nb',
    '$HOME',
    '%A%',
    ' lead',
    'tail ',
    '`tick`',
    "'q'",
    'ä€🧟',
    '\\',
    'a;b',
    '""',
  ])('reads back as %j', (value) => {
    expect(parseEnv(withVariables('B=2\nC=3', new Map([['A', value]])))).toEqual({
      A: value,
      B: '2',
      C: '3',
    });
  });

  it.each(['a\nb', `# '"\``])('is refused as %j, which cannot be written', (value) => {
    expect(() => withVariables('', new Map([['A', value]]))).toThrow(
      /The value of A cannot be written into .env/,
    );
  });

  it('replaces each of its own lines, and none of others', () => {
    expect(withVariables('A=1\r\nexport A=2\r\nAA=3\r\n', new Map([['A', '4']]))).toBe('A=4\r\nAA=3\r\n');
    expect(withVariables('# A=1\nA=4', new Map([['A', '4']]))).toBe('# A=1\nA=4\n');
    expect(
      withVariables(
        'Ours\nA=1\nend',
        new Map([
          ['A', '4'],
          ['B', '2'],
        ]),
      ),
    ).toBe('Ours\nA=4\nend\nB=2\n');
  });
});
