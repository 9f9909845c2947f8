import { appendFile, copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createWorkplace, type Workplace } from '../harness/outpost-process.ts';

const samples = fileURLToPath(new URL('../samples/dayz/', import.meta.url));
const log = 'DayZServer_x64_2024_01_28_121902475.ADM';
const patience = { timeout: 60_000, interval: 200 };

let place: Workplace;
beforeEach(async () => {
  place = await createWorkplace();
});
afterEach(() => place.remove());

it('a renamed server keeps its figures, beside a running service, and can be forgotten', async () => {
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
  const before = await figures();

  await configure('new', 'spare');
  service.signal('SIGHUP');
  await service.logged('outpost server rename old new');
  expect(await place.outpost('sources')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('outpost server rename old new'),
  });
  expect(await place.outpost('server', 'rename', 'odl', 'new')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('known are: old, spare'),
  });
  expect(await place.outpostJson('server', 'rename', 'old', 'new')).toMatchObject({
    from: 'old',
    to: 'new',
    files: 1,
  });
  service.signal('SIGHUP');
  await service.logged('config reloaded');
  await appendFile(join(logs, log), '12:00:00 | not a line that counts\n');
  expect(await figures()).toEqual(before);
  const { servers } = (await (await fetch(`${service.url}/v1/servers`, { headers })).json()) as {
    servers: { id: string }[];
  };
  expect(servers.map(({ id }) => id)).toEqual(['new', 'spare']);

  expect(await place.outpost('server', 'forget', 'new', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('remove it there'),
  });
  await configure('spare');
  service.signal('SIGHUP');
  expect((await place.outpost('server', 'forget', 'new')).stderr).toContain('add --yes');
  await vi.waitFor(() => expect(service.output().split('config reloaded')).toHaveLength(3), patience);
  expect(await place.outpostJson('server', 'forget', 'new', '--yes')).toMatchObject({ id: 'new', files: 1 });
  await vi.waitFor(async () => expect(JSON.stringify(await figures())).not.toContain('"rank":1'), patience);
});
