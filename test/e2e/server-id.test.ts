import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { callersPace, createWorkplace, type Workplace } from '../harness/outpost-process.ts';

const samples = fileURLToPath(new URL('../../packages/dayz-files/test/samples/', import.meta.url));
const log = 'DayZServer_x64_2024_01_28_121902475.ADM';
const patience = { timeout: 60_000, ...callersPace };

let place: Workplace;
beforeEach(async () => {
  place = await createWorkplace();
});
afterEach(() => place.remove());

it('files of a server are not counted again under a new id, and formerly: renames it, and it can be forgotten beside a running service', async () => {
  const logs = join(place.folder, 'logs');
  await mkdir(logs);
  await copyFile(join(samples, 'server-d', log), join(logs, log));
  const configure = (...ids: string[]) =>
    place.configure({
      projects: [
        {
          slug: 'p',
          name: 'P',
          servers: ids.map((id) => ({
            id,
            name: id,
            host: '127.0.0.1',
            port: 2302,
            ...(id !== 'spare' && { logs }),
            ...(id === 'renamed' && { formerly: 'old' }),
          })),
        },
      ],
    });
  await configure('old', 'spare');
  const service = await place.start();
  const headers = await place.newCaller(service.url, 'p');
  const figures = async () => {
    const answer = await fetch(`${service.url}/v1/leaderboards?metric=PLAYTIME&limit=50`, { headers });
    return (await answer.json()) as { rows?: unknown[] };
  };
  await vi.waitFor(async () => expect(JSON.stringify(await figures())).toContain('"rank":1'), patience);
  expect(await place.outpost('server', 'forget', 'old', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('remove it there'),
  });

  await configure('new', 'spare');
  service.signal('SIGHUP');
  await service.logged('formerly: old');
  expect(await place.outpost('sources')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('formerly: old'),
  });

  await configure('renamed', 'spare');
  service.signal('SIGHUP');
  await service.logged('config reloaded');
  expect(await place.outpostJson('sources')).toMatchObject({
    sources: [expect.objectContaining({ id: 'renamed' })],
  });
  expect(JSON.stringify(await figures())).toContain('"rank":1');

  await configure('spare');
  service.signal('SIGHUP');
  await vi.waitFor(() => expect(service.output().split('config reloaded')).toHaveLength(3), patience);
  expect((await place.outpost('server', 'forget', 'renamed')).stderr).toContain('add --yes');
  expect(await place.outpostJson('server', 'forget', 'renamed', '--yes')).toMatchObject({
    id: 'renamed',
    files: 1,
  });
  await vi.waitFor(async () => expect(JSON.stringify(await figures())).not.toContain('"rank":1'), patience);
});
