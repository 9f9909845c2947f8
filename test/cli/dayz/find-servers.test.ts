import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directFiles, FileError, type FileAccess } from 'game-files';
import { findServers } from '../../../src/cli/dayz/find-servers.ts';
import { Search } from '../../../src/cli/dayz/search.ts';
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

async function findIn(folder: string, port: FileAccess = directFiles) {
  const search = new Search(port, { folders: 1_000, deadlineMs: 10_000 });
  const found = await findServers(search, folder, false);
  return { ...found, denied: search.denied };
}
const find = async () => (await findIn(join(home, 'dayz'))).servers;

describe('a game server in a folder', () => {
  it('is found with all of its files', async () => {
    const cfg = await put('dayz/serverDZ.cfg', config('North', 'steamQueryPort = 27020; instanceId = 2;'));
    await put('dayz/start.sh', './DayZServer -config=serverDZ.cfg -port=2402 -profiles=profiles -adminlog\n');
    await put('dayz/profiles/DayZServer_x64.ADM');
    await put('dayz/profiles/battleye/bans.txt');
    await put('dayz/profiles/VPPAdminTools/Configurables/BanList.json', '{}');
    await put('dayz/ban.txt');
    await put('dayz/mpmissions/dayzOffline.chernarusplus/storage_1/players.db');
    await put('dayz/mpmissions/dayzOffline.enoch/storage_2/players.db');
    await put('dayz/mpmissions/dayzOffline.enoch/db/messages.xml');
    const [server, ...others] = await find();
    expect(others).toEqual([]);
    expect(server).toMatchObject({
      name: 'North',
      configFile: cfg,
      gamePort: 2402,
      logs: join(home, 'dayz/profiles'),
      playersDb: join(home, 'dayz/mpmissions/dayzOffline.enoch/storage_2/players.db'),
      messagesFile: join(home, 'dayz/mpmissions/dayzOffline.enoch/db/messages.xml'),
    });
    expect(server?.queryPort).toBe(27020);
    expect(server?.banFiles.map(({ format }) => format).toSorted()).toEqual(['battleye', 'dayz', 'vpp']);
  });

  it('is not called as the file that comes with the game says', async () => {
    await put('dayz/serverDZ.cfg', config('EXAMPLE NAME'));
    expect(await find()).toMatchObject([{ name: 'dayz', isNamed: false }]);
  });

  it('is found below the folder of an instance of AMP, whose template beside its config is none', async () => {
    const template = 'hostname = "{{hostname}}";\ninstanceId = {{instanceId}};\nmotd[] = { {{motd}} };\n';
    const missions =
      'class Missions\n{\n    class DayZ\n    {\n        template = "{{template}}";\n    };\n};\n';
    await put('dayz/dayz/server/AMP_Settings.cfg', template + missions);
    await put('dayz/dayz/server/serverDZ.cfg', config('North'));
    await put('dayz/dayz/server/DayZServerData/DayZServer_x64.ADM');
    await put('dayz/dayz/server/battleye/bans.txt');
    expect(await find()).toMatchObject([
      {
        name: 'North',
        logs: join(home, 'dayz/dayz/server/DayZServerData'),
        banFiles: [{ format: 'battleye' }],
      },
    ]);
  });

  it('is the one with the usual name where copies of its config lie beside it', async () => {
    await put('dayz/serverDZ - Copy.cfg', config('Copy'));
    await put('dayz/serverDZ.cfg', config('North'));
    await put('dayz/BEServer_x64.cfg', 'RConPassword secret\n');
    expect(await find()).toMatchObject([{ name: 'North' }]);
  });

  it('is one of several in a folder, each with its own logs', async () => {
    await put('dayz/one.cfg', config('One', 'instanceId = 1;'));
    await put('dayz/two.cfg', config('Two', 'instanceId = 2;'));
    await put(
      'dayz/start.bat',
      'set PORT=2302\r\nstart DayZServer_x64.exe "-config=one.cfg" -port=%PORT% -profiles=p1\r\n',
    );
    await put(
      'dayz/start2.bat',
      'DayZServer_x64.exe ^\r\n -config=two.cfg ^\r\n -port=2402 "-profiles=p 2"\r\n',
    );
    await put('dayz/p1/a.ADM');
    await put('dayz/p 2/a.ADM');
    await put('dayz/p1/BattlEye/bans.txt');
    await put('dayz/ban.txt');
    expect(await find()).toMatchObject([
      { name: 'One', gamePort: 2302, logs: join(home, 'dayz/p1'), banFiles: [{ format: 'battleye' }] },
      { name: 'Two', gamePort: 2402, logs: join(home, 'dayz/p 2'), banFiles: [] },
    ]);
  });

  it('is one of several that have folders of their own', async () => {
    for (const name of ['chernarus', 'livonia']) {
      await put(`dayz/${name}/serverDZ.cfg`, config(name));
      await put(`dayz/${name}/profiles/DayZServer_x64.ADM`);
      await put(`dayz/${name}/ban.txt`);
      await put(`dayz/${name}/mpmissions/dayzOffline.enoch/storage_1/players.db`);
    }
    await put('dayz/livonia/start.sh', './DayZServer -config=serverDZ.cfg -port=2402 -profiles=profiles\n');
    const servers = await find();
    const port = { chernarus: 2302, livonia: 2402 };
    expect(servers.toSorted((a, b) => a.name.localeCompare(b.name))).toMatchObject(
      Object.entries(port).map(([name, gamePort]) => ({
        name,
        gamePort,
        logs: join(home, 'dayz', name, 'profiles'),
        playersDb: join(home, 'dayz', name, 'mpmissions/dayzOffline.enoch/storage_1/players.db'),
        banFiles: [{ file: join(home, 'dayz', name, 'ban.txt'), format: 'dayz' }],
      })),
    );
  });

  it('takes nothing from folders beside it', async () => {
    await put('dayz/server/serverDZ.cfg', config('North'));
    await put('dayz/backup/profiles/DayZServer_x64.ADM');
    await put('dayz/other/ban.txt');
    await put(
      'dayz/other/start.sh',
      './DayZServer -config=serverDZ.cfg -port=2402 -profiles=../backup/profiles',
    );
    expect(await find()).toMatchObject([{ name: 'North', gamePort: 2302, logs: null, banFiles: [] }]);
  });

  it('has its files beside the folder of its configs', async () => {
    await put('dayz/cfg/dayzserver.server.cfg', config('By LinuxGSM'));
    await put('dayz/profiles/DayZServer_x64.ADM');
    await put('dayz/battleye/bans.txt');
    expect(await find()).toMatchObject([
      { name: 'By LinuxGSM', logs: join(home, 'dayz/profiles'), banFiles: [{ format: 'battleye' }] },
    ]);
  });

  it('may be known by its logs alone, if they are those of one', async () => {
    await put('dayz/north/profiles/DayZServer_x64.ADM');
    await put('dayz/north/profiles/players.db');
    const old = await put('dayz/north/profiles/old/DayZServer_x64.ADM');
    await utimes(old, 1_000, 1_000);
    await put('dayz/north/ban.txt');
    await put('dayz/other/ban.txt');
    expect(await find()).toMatchObject([
      {
        name: 'north',
        playersDb: join(home, 'dayz/north/profiles/players.db'),
        banFiles: [{ file: join(home, 'dayz/north/ban.txt') }],
      },
    ]);
    await put('dayz/south/profiles/DayZServer_x64.ADM');
    const found = await findIn(join(home, 'dayz'));
    expect(found.servers).toEqual([]);
    expect(found.logFolders).toContain(join(home, 'dayz/south/profiles'));
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
    expect(await findIn(folder, denied(folder))).toMatchObject({ servers: [], denied: [folder] });
    const profiles = join(folder, 'profiles');
    const { servers } = await findIn(folder, denied(profiles));
    expect(servers).toMatchObject([{ name: 'North', logs: null, denied: [profiles] }]);
  });

  it('has no logs where several servers share a folder and nothing says whose they are', async () => {
    await put('dayz/one.cfg', config('One', 'instanceId = 1;'));
    await put('dayz/two.cfg', config('Two', 'instanceId = 2;'));
    await put('dayz/profiles/a.ADM');
    expect(await find()).toMatchObject([
      { name: 'One', logs: null },
      { name: 'Two', logs: null },
    ]);
  });

  it('has the logs that were written last where nothing names its folder', async () => {
    await put('dayz/serverDZ.cfg', config('North'));
    const old = await put('dayz/old/a.ADM');
    await put('dayz/profiles/a.ADM');
    await utimes(old, 1_000, 1_000);
    expect(await find()).toMatchObject([{ logs: join(home, 'dayz/profiles'), playersDb: null }]);
  });

  it('is not found where nothing is one', async () => {
    await put('dayz/server.cfg', 'hostname "another game"\n');
    await put('dayz/readme.txt');
    expect(await find()).toEqual([]);
    expect(await findIn(join(home, 'nowhere'))).toMatchObject({ servers: [] });
  });

  it('is found in a folder that has the name of a map', async () => {
    await put('dayz/enoch/serverDZ.cfg', config('Livonia'));
    await put('dayz/enoch/addons/x.pbo');
    await put('dayz/sakhal/serverDZ.cfg', config('Sakhal'));
    expect(await find()).toMatchObject([{ name: 'Livonia' }, { name: 'Sakhal' }]);
  });

  it.skipIf(process.platform === 'win32')(
    'is found beside pipes, loops and folders without rights',
    async () => {
      const cfg = await put('dayz/serverDZ.cfg', config('North'));
      execFileSync('mkfifo', [join(home, 'dayz/pipe.cfg'), join(home, 'dayz/pipe.sh')]);
      await symlink(join(home, 'dayz'), join(home, 'dayz/a-loop'));
      await put('dayz/start.sh', './DayZServer -config=serverDZ.cfg\n');
      await symlink(join(home, 'nothing'), join(home, 'dayz/dangling.cfg'));
      await mkdir(join(home, 'dayz/locked'), { mode: 0 });
      expect(await find()).toMatchObject([{ configFile: cfg }]);
    },
  );
});
