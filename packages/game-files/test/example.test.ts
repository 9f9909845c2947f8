import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startSftp } from './servers/sftp.ts';
import { temporaryFolder } from './temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('the example lists the logs of a folder over SFTP, and follows the newest as it grows', async () => {
  const served = temporaryFolder();
  mkdirSync(join(served, 'profiles'));
  const log = join(served, 'profiles', 'DayZServer_x64.ADM');
  writeFileSync(log, '12:00:00 | first\n');
  await using sftp = await startSftp({ root: served });
  const url = `sftp://${sftp.username}:${sftp.password}@127.0.0.1:${sftp.port}/profiles`;
  const example = spawn(process.execPath, ['--import', 'tsx', 'example/follow.ts', url], { cwd: root });
  const closed = once(example, 'close');
  onTestFinished(async () => {
    example.kill();
    await closed;
  });
  let printed = '';
  for (const stream of [example.stdout, example.stderr])
    stream.on('data', (text) => (printed += String(text)));
  await expect.poll(() => printed).toBe('DayZServer_x64.ADM: 17 bytes\n12:00:00 | first\n');
  appendFileSync(log, '12:00:01 | second\n');
  await expect.poll(() => printed).toMatch(/first\n12:00:01 \| second\n$/);
});

test('the README shows the example as it is', () => {
  const [, , ...lines] = readFileSync(join(root, 'example/follow.ts'), 'utf8').split('\n');
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(lines.join('\n'));
});
