import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isRoot, ordinaryUser } from '../harness/ordinary-user.ts';
import { createWorkplace, main, type Workplace } from '../harness/outpost-process.ts';

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
    expect(Object.keys(modes)).toEqual(expect.arrayContaining(['outpost.sqlite', 'backups']));
    expect(new Set(Object.values(modes))).toEqual(new Set(['file 600', 'folder 700']));
    await place.start();
    expect(new Set(Object.values(modesBelow(data)))).toEqual(new Set(['file 600', 'folder 700']));
  },
);

/** Root may have the sources where nobody else can read them. */
const canRunAsOther =
  isRoot &&
  spawnSync(process.execPath, ['--check', main], { uid: ordinaryUser, gid: ordinaryUser }).status === 0;

it.skipIf(!canRunAsOther)(
  'what root has left in the data folder of another user is named with what to run, and no command shows a stack',
  async () => {
    mkdirSync(data);
    for (const path of [place.folder, data]) chownSync(path, ordinaryUser, ordinaryUser);
    place.user = ordinaryUser;
    await place.outpostJson('app', 'create', '--project', 'p', '--name', 'A', '--scopes', 'all');
    mkdirSync(join(data, 'backups'), { mode: 0o700 });
    writeFileSync(join(data, 'outpost.lock'), '', { mode: 0o600 });

    for (const [name, command] of [
      ['backups', 'backup'],
      ['outpost.lock', 'start'],
    ] as const) {
      const { code, stderr } = await place.outpost(command);
      expect(code).toBe(1);
      expect(stderr.trimEnd()).toMatch(
        new RegExp(`^cannot use .*${name}.* belongs to user 0 .*Run: sudo chown -R ${ordinaryUser} ${data}$`),
      );
      chownSync(join(data, name), ordinaryUser, ordinaryUser);
    }
    expect((await place.outpost('backup')).code).toBe(0);
  },
);
