import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorkplace, type Workplace } from '../harness/outpost-process.ts';
import { configureFive, fill, healthy, keepPace, playtimes, warningsOf } from './five-servers.ts';

let place: Workplace;
beforeEach(async () => {
  place = await createWorkplace();
});
afterEach(() => place.remove());

test.skipIf(process.platform === 'win32')(
  'what is no file under a name of one is named as what it is, and holds up nothing, not even the end',
  async () => {
    for (const name of healthy) await fill(join(place.folder, name), name);
    const hung = join(place.folder, 'hung');
    await mkdir(hung);
    for (const name of ['a.ADM', 'b.RPT', 'serverconsole.log', 'players.db', 'ban.txt', 'messages.xml']) {
      execFileSync('mkfifo', [join(hung, name)]);
    }
    await mkdir(join(hung, 'c.ADM'));
    await symlink('/dev/zero', join(hung, 'd.ADM'));
    await configureFive(place);
    const outpost = await place.start();
    const read = playtimes(outpost, await place.newCaller(outpost.url, 'p'));
    for (let minute = 1; minute < 4; minute += 1) await keepPace(place, read, minute);
    for (const [kind, problem] of [
      ['logs', /a\.ADM: is a named pipe/],
      ['logs', /b\.RPT: is a named pipe/],
      ['logs', /serverconsole\.log: is a named pipe/],
      ['logs', /c\.ADM: is a folder/],
      ['logs', /d\.ADM: is a device/],
      ['playersDb', /is a named pipe/],
      ['bans', /is a named pipe/],
      ['messages', /is a named pipe/],
    ] as const) {
      await expect.poll(() => warningsOf(outpost, `"kind":"${kind}"`).join('\n')).toMatch(problem);
    }
    const sources = await place.outpost('sources');
    expect(sources.stdout).toMatch(/hung {2}characters[^]*is a named pipe/);
    const checked = await place.outpost('check-config');
    expect(checked.stdout).toMatch(/bans-hung\.sources\[0\].*is a named pipe/);
    const { code } = await outpost.stop();
    expect(code).toBe(0);
  },
);
