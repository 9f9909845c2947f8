import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readDotEnv } from '../../src/config/text-file.ts';
import { readConfig } from '../../src/config/load.ts';
import { createStore, outpost } from '../harness/command-line.ts';
import { asOrdinaryUser, isRoot, ordinaryUser } from '../harness/ordinary-user.ts';

let folder: string;
let data: string;
let config: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-foreign-'));
  chmodSync(folder, 0o755);
  data = join(folder, 'data');
  config = join(folder, 'outpost.yaml');
  writeFileSync(config, 'projects: [{ slug: p, name: P }]');
  vi.stubEnv('OUTPOST_CONFIG', config);
  vi.stubEnv('OUTPOST_DATA', data);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

describe.skipIf(!isRoot)('in the data folder of another user (only root can give a folder away)', () => {
  beforeEach(async () => {
    mkdirSync(data);
    chownSync(data, ordinaryUser, ordinaryUser);
    await asOrdinaryUser(createStore);
  });

  test.each([['backup'], ['app', 'list'], ['start']])(
    'root is refused, with what to run instead, and creates nothing: %s',
    async (...args) => {
      const before = readdirSync(data);
      const { code, err } = await outpost(...args);
      expect(code).toBe(1);
      expect(err).toContain(`sudo -u '#${ordinaryUser}' outpost …`);
      expect(err.split('\n')).toHaveLength(1);
      expect(readdirSync(data)).toEqual(before);
    },
  );
});

test.skipIf(process.platform === 'win32')(
  'a config or .env that may not be read is said in plain words',
  async () => {
    const env = join(folder, '.env');
    writeFileSync(env, '');
    for (const file of [env, config]) chmodSync(file, 0o000);
    const problem = /^cannot read .*: this user may not\.\nRun the command as the user that runs Outpost/;
    await expect(asOrdinaryUser(() => readDotEnv(env))).rejects.toThrow(problem);
    await expect(asOrdinaryUser(() => readConfig(config))).rejects.toThrow(problem);
  },
);

test.skipIf(process.platform === 'win32')(
  'check-config says so where this user may not see the store, or read it',
  async () => {
    await createStore();
    expect((await outpost('check-config')).code).toBe(0);
    for (const name of readdirSync(data)) chmodSync(join(data, name), 0o000);
    chmodSync(data, 0o755);
    const checked = async () => await asOrdinaryUser(() => outpost('check-config'));
    expect(await checked()).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /✗ OUTPOST_DATA .*outpost\.sqlite: cannot use .* belongs to user \d+ \(mode 0000\)\n +→ /,
      ),
    });
    chmodSync(data, 0o000);
    expect(await checked()).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /✗ OUTPOST_DATA .*data: EACCES: permission denied.*\n +→ let the user that runs/,
      ),
    });
    chmodSync(data, 0o700);
  },
);
