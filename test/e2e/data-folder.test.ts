import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorkplace, type Workplace } from '../harness/outpost-process.ts';

let place: Workplace;
let data: string;
beforeEach(async () => {
  place = await createWorkplace();
  data = join(place.folder, 'data');
  await place.configure({ projects: [{ slug: 'p', name: 'P' }] });
});
afterEach(() => place.remove());

const modesBelow = (folder: string): Record<string, string> =>
  Object.fromEntries(
    (readdirSync(folder, { recursive: true }) as string[]).map((name) => {
      const stats = statSync(join(folder, name));
      return [name, `${stats.isDirectory() ? 'folder' : 'file'} ${(stats.mode & 0o777).toString(8)}`];
    }),
  );

it.skipIf(process.platform === 'win32')(
  "what commands and the service create is their user's alone, also in a folder that everyone can read",
  async () => {
    mkdirSync(data);
    chmodSync(data, 0o755);
    await place.outpostJson('app', 'create', '--project', 'p', '--name', 'A', '--scopes', 'all');
    expect((await place.outpost('backup')).code).toBe(0);
    const modes = modesBelow(data);
    expect(Object.keys(modes)).toEqual(
      expect.arrayContaining(['outpost.sqlite', 'outpost.lock.backup', 'backups']),
    );
    expect(new Set(Object.values(modes))).toEqual(new Set(['file 600', 'folder 700']));
    await place.start();
    expect(new Set(Object.values(modesBelow(data)))).toEqual(new Set(['file 600', 'folder 700']));
  },
);
