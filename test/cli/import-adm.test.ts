import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { outpost } from '../harness/command-line.ts';
import { idA, run, temporaryFolder } from '../server/ingest/fixture.ts';

test('says which lines are unread: kinds, most first, which name nobody', async () => {
  const folder = temporaryFolder();
  const config = join(folder, 'outpost.yaml');
  const server = '{ id: s, name: S, host: 127.0.0.1, port: 2302, timezone: UTC }';
  writeFileSync(config, `projects: [{ slug: p, name: P, servers: [${server}] }]\n`);
  vi.stubEnv('OUTPOST_CONFIG', config);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const ann = `Player "Annabella" (id=${idA} pos=<1, 2, 3>)`;
  const logs = ['2024-05-01', '2024-05-02'].map((day) => {
    const path = join(folder, `${day}.ADM`);
    const lines = ['Annabella opened a crate', `${ann} flew 3 m`, 'Annabella opened a door'];
    const text = run(`12:00:00 | ${ann} is connected`, ...lines.map((line) => `12:01:00 | ${line}`));
    writeFileSync(path, text.replace('2024-05-01', day));
    return path;
  });
  const { out } = await outpost('import', 'adm', '--server', 's', ...logs);
  expect(out.split('\n')).toEqual([
    expect.stringMatching(/^2 files, .* \(6 unread\), 1 player stored\./),
    'Unread: 4 × other, 2 × Player … flew.',
  ]);
});
