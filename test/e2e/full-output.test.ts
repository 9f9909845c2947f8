import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { northwood } from '../harness/northwood.ts';
import { createWorkplace, main, type Workplace } from '../harness/outpost-process.ts';

/** Linux: every write to it fails as if the disk were full. */
const fullDisk = '/dev/full';

let place: Workplace;
beforeEach(async () => {
  place = await createWorkplace();
});
afterEach(() => place.remove());

it.skipIf(!existsSync(fullDisk))('says in one line that its output cannot be written (Linux)', () => {
  const { status, stderr } = spawnSync(process.execPath, [main, 'version'], {
    stdio: ['ignore', openSync(fullDisk, 'w'), 'pipe'],
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^cannot write the output: ENOSPC: .* Write it elsewhere, .*\n$/),
  });
});

it.skipIf(!existsSync(fullDisk))('serves on while the disk with its log is full (Linux)', async () => {
  await place.configure(northwood());
  const port = await freePort();
  const child = spawn(process.execPath, [main, 'start'], {
    cwd: place.folder,
    env: { ...place.environment, OUTPOST_HTTP_PORT: String(port) },
    stdio: ['ignore', openSync(fullDisk, 'w'), 'ignore'],
  });
  try {
    // It logs its address before it answers.
    const isReady = async (): Promise<boolean> =>
      await fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      );
    await expect
      .poll(async () => child.exitCode !== null || (await isReady()), { timeout: 60_000 })
      .toBe(true);
    expect(child.exitCode).toBe(null);
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
