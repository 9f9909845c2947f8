import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directFiles, FileError, type FileAccess } from 'game-files';
import { findServer, Search } from '../../../src/cli/dayz/find-server.ts';
import { putFile } from '../put-file.ts';

const config = (hostname: string, rest = ''): string =>
  `hostname = "${hostname}"; // name\n${rest}\nclass Missions { class DayZ { template="dayzOffline.enoch"; }; };\n`;

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'outpost-find-'));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

const put = async (name: string, content?: string) => await putFile(home, name, content);

async function findIn(folder: string, { files = directFiles, named = '' } = {}) {
  const search = new Search(files, { folders: 1_000, deadlineMs: 10_000 });
  const found = await findServer(search, folder, named);
  return { ...found, denied: search.denied };
}
const find = async () => (await findIn(join(home, 'dayz'))).server;

describe('a game server in a folder', () => {
  it('is found with all of its files', async () => {
    const cfg = await put('dayz/serverDZ.cfg', config('North', 'steamQueryPort = 27020; instanceId = 2;'));
    await put('dayz/profiles/DayZServer_x64.ADM');
    await put('dayz/profiles/battleye/bans.txt');
    await put('dayz/profiles/VPPAdminTools/Configurables/BanList.json', '{}');
    await put('dayz/ban.txt');
    await put('dayz/mpmissions/dayzOffline.chernarusplus/storage_1/players.db');
    await put('dayz/mpmissions/dayzOffline.enoch/storage_2/players.db');
    await put('dayz/mpmissions/dayzOffline.enoch/db/messages.xml');
    const server = await find();
    expect(server).toMatchObject({
      name: 'North',
      configFile: cfg,
      logs: join(home, 'dayz/profiles'),
      playersDb: join(home, 'dayz/mpmissions/dayzOffline.enoch/storage_2/players.db'),
      messagesFile: join(home, 'dayz/mpmissions/dayzOffline.enoch/db/messages.xml'),
    });
    expect(server?.queryPort).toBe(27020);
    expect(server?.banFiles.map(({ format }) => format).toSorted()).toEqual(['battleye', 'dayz', 'vpp']);
  });

  it('is not called as the file that comes with the game says', async () => {
    await put('dayz/serverDZ.cfg', config('EXAMPLE NAME'));
    expect(await find()).toMatchObject({ name: 'dayz', isNamed: false });
  });

  it('is found below the folder of an instance of AMP, whose template beside its config is none', async () => {
    const template = 'hostname = "{{hostname}}";\ninstanceId = {{instanceId}};\nmotd[] = { {{motd}} };\n';
    const missions =
      'class Missions\n{\n    class DayZ\n    {\n        template = "{{template}}";\n    };\n};\n';
    await put('dayz/dayz/server/AMP_Settings.cfg', template + missions);
    await put('dayz/dayz/server/serverDZ.cfg', config('North'));
    await put('dayz/dayz/server/DayZServerData/DayZServer_x64.ADM');
    await put('dayz/dayz/server/battleye/bans.txt');
    expect(await find()).toMatchObject({
      name: 'North',
      logs: join(home, 'dayz/dayz/server/DayZServerData'),
      banFiles: [{ format: 'battleye' }],
    });
  });

  it('is the one with the usual name where copies of its config lie beside it', async () => {
    await put('dayz/serverDZ - Copy.cfg', config('Copy'));
    await put('dayz/serverDZ.cfg', config('North'));
    await put('dayz/BEServer_x64.cfg', 'RConPassword secret\n');
    expect(await find()).toMatchObject({ name: 'North' });
  });

  it('is to be named where there are several, and is then the one of the named config', async () => {
    const [one, two] = ['chernarus', 'livonia'].map((name) => join(home, 'dayz', name, 'serverDZ.cfg'));
    for (const name of ['chernarus', 'livonia']) {
      await put(`dayz/${name}/serverDZ.cfg`, config(name));
      await put(`dayz/${name}/profiles/DayZServer_x64.ADM`);
      await put(`dayz/${name}/ban.txt`);
      await put(`dayz/${name}/mpmissions/dayzOffline.enoch/storage_1/players.db`);
    }
    expect((await findIn(join(home, 'dayz'))).choices).toEqual([one, two]);
    expect(await findIn(join(home, 'dayz'), { named: two! })).toMatchObject({
      choices: [],
      server: {
        name: 'livonia',
        logs: join(home, 'dayz/livonia/profiles'),
        playersDb: join(home, 'dayz/livonia/mpmissions/dayzOffline.enoch/storage_1/players.db'),
        banFiles: [{ file: join(home, 'dayz/livonia/ban.txt'), format: 'dayz' }],
      },
    });
  });

  it('takes nothing from folders beside it', async () => {
    await put('dayz/server/serverDZ.cfg', config('North'));
    await put('dayz/backup/profiles/DayZServer_x64.ADM');
    await put('dayz/other/ban.txt');
    expect(await find()).toMatchObject({ name: 'North', logs: null, banFiles: [] });
  });

  it('has its files beside the folder of its configs', async () => {
    await put('dayz/cfg/dayzserver.server.cfg', config('By LinuxGSM'));
    await put('dayz/profiles/DayZServer_x64.ADM');
    await put('dayz/battleye/bans.txt');
    expect(await find()).toMatchObject({
      name: 'By LinuxGSM',
      logs: join(home, 'dayz/profiles'),
      banFiles: [{ format: 'battleye' }],
    });
  });

  it('may be known by its logs alone, if they are those of one', async () => {
    await put('dayz/north/profiles/DayZServer_x64.ADM');
    await put('dayz/north/profiles/players.db');
    const old = await put('dayz/north/profiles/old/DayZServer_x64.ADM');
    await utimes(old, 1_000, 1_000);
    await put('dayz/north/ban.txt');
    await put('dayz/other/ban.txt');
    expect(await find()).toMatchObject({
      name: 'north',
      playersDb: join(home, 'dayz/north/profiles/players.db'),
      banFiles: [{ file: join(home, 'dayz/north/ban.txt') }],
    });
    await put('dayz/south/profiles/DayZServer_x64.ADM');
    expect((await findIn(join(home, 'dayz'))).choices).toEqual([
      join(home, 'dayz/north/profiles'),
      join(home, 'dayz/south/profiles'),
    ]);
  });

  it('may lie where this user may not read, which is said', async () => {
    await put('dayz/serverDZ.cfg', config('North'));
    await put('dayz/profiles/DayZServer_x64.ADM');
    const denied = (folder: string): FileAccess => ({
      ...directFiles,
      list: async (path, wanted) => {
        if (path !== folder) return await directFiles.list(path, wanted);
        throw new FileError({ code: 'EACCES', message: 'permission denied' });
      },
    });
    const folder = join(home, 'dayz');
    expect(await findIn(folder, { files: denied(folder) })).toMatchObject({ server: null, denied: [folder] });
    const profiles = join(folder, 'profiles');
    const { server } = await findIn(folder, { files: denied(profiles) });
    expect(server).toMatchObject({ name: 'North', logs: null, denied: [profiles] });
  });

  it('has no logs where several servers share a folder and nothing says whose they are', async () => {
    await put('dayz/one.cfg', config('One', 'instanceId = 1;'));
    await put('dayz/two.cfg', config('Two', 'instanceId = 2;'));
    await put('dayz/profiles/a.ADM');
    const named = join(home, 'dayz/two.cfg');
    expect((await findIn(join(home, 'dayz'), { named })).server).toMatchObject({ name: 'Two', logs: null });
  });

  it('has the logs that were written last where nothing names its folder', async () => {
    await put('dayz/serverDZ.cfg', config('North'));
    const old = await put('dayz/old/a.ADM');
    await put('dayz/profiles/a.ADM');
    await utimes(old, 1_000, 1_000);
    expect(await find()).toMatchObject({ logs: join(home, 'dayz/profiles'), playersDb: null });
  });

  it('is not found where nothing is one', async () => {
    await put('dayz/server.cfg', 'hostname "another game"\n');
    await put('dayz/readme.txt');
    expect(await find()).toBeNull();
    expect(await findIn(join(home, 'nowhere'))).toMatchObject({ server: null });
  });

  it('is found in a folder that has the name of a map', async () => {
    await put('dayz/enoch/serverDZ.cfg', config('Livonia'));
    await put('dayz/enoch/addons/x.pbo');
    expect(await find()).toMatchObject({ name: 'Livonia' });
  });

  it.skipIf(process.platform === 'win32')(
    'is found beside pipes, loops and folders without rights',
    async () => {
      const cfg = await put('dayz/serverDZ.cfg', config('North'));
      execFileSync('mkfifo', [join(home, 'dayz/pipe.cfg')]);
      await symlink(join(home, 'dayz'), join(home, 'dayz/a-loop'));
      await symlink(join(home, 'nothing'), join(home, 'dayz/dangling.cfg'));
      await mkdir(join(home, 'dayz/locked'), { mode: 0 });
      expect(await find()).toMatchObject({ configFile: cfg });
    },
  );
});
