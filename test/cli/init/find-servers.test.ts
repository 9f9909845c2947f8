import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findLocalServers, findServersAt } from '../../../src/cli/init/find/local-servers.ts';
import { splitCommandLine } from '../../../src/server/games/command-line.ts';
import { type DayzLaunch, readLaunch } from '../../../src/server/games/dayz/find/launch.ts';
import { readStartScript } from '../../../src/server/games/dayz/find/start-script.ts';
import { readWindowsProcesses, runningOnLinux } from '../../../src/cli/init/find/running-servers.ts';
import { usualGame } from '../../../src/server/games/index.ts';
import {
  readLibraries,
  steamFolders,
  usualFolders,
  usualLogFolder,
} from '../../../src/cli/init/find/usual-folders.ts';
import { FileError, type Files } from '../../../src/server/files/file-port.ts';
import { directFiles } from '../../../src/server/files/direct-files.ts';

const config = (hostname: string, rest = ''): string =>
  `hostname = "${hostname}"; // name\n${rest}\nclass Missions { class DayZ { template="dayzOffline.enoch"; }; };\n`;

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'outpost-find-'));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

async function put(name: string, content = ''): Promise<string> {
  const file = join(home, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

const machine = () => ({ platform: 'linux' as const, home, current: home, variables: {} });
/** Only the folder of the test is searched, not the machine that it runs on. */
const find = async (running = [] as ReturnType<typeof readLaunch>[]) =>
  (
    await findServersAt(
      directFiles,
      join(home, 'dayz'),
      running.map((launch) => ({ ...launch, game: 'dayz' })),
    )
  ).servers;

describe('a game server on this machine', () => {
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
      isRunning: false,
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

  it('is found in the usual folders, whatever its config is called', async () => {
    await put('serverfiles/DayZServer');
    await put('serverfiles/cfg/dayzserver.server.cfg', config('By LinuxGSM'));
    await put('serverfiles/BEServer_x64.cfg', 'RConPassword secret\n');
    await put('.local/share/Steam/steamapps/common/DayZServer/serverDZ.cfg', config('By Steam'));
    await mkdir(join(home, '.steam'));
    await symlink(join(home, '.local/share/Steam'), join(home, '.steam/steam'));
    await put('elsewhere/steamapps/common/DayZServer/serverDZ.cfg', config('In a library'));
    await put('.steam/steam/steamapps/libraryfolders.vdf', `"0" { "path"\t\t"${join(home, 'elsewhere')}" }`);
    const { servers } = await findLocalServers(directFiles, machine(), []);
    const names = servers.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['By LinuxGSM', 'By Steam', 'In a library']));
    expect(names.filter((name) => name === 'By Steam')).toHaveLength(1);
  });

  it('is the running one where copies of its config lie beside it', async () => {
    await put('dayz/serverDZ.cfg', config('Stock'));
    await put('dayz/mine.cfg', config('Mine'));
    await put('dayz/serverDZ - Copy.cfg', config('Stock'));
    const launch = readLaunch(['-config=mine.cfg', '-port=2502'], {
      folder: join(home, 'dayz'),
      isRunning: true,
    });
    expect(await find([launch])).toMatchObject([{ name: 'Mine', isRunning: true, gamePort: 2502 }]);
    expect(await find()).toMatchObject([{ name: 'Stock' }]);
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
    const found = await findServersAt(directFiles, join(home, 'dayz'), []);
    expect(found.servers).toEqual([]);
    expect(found.logFolders).toContain(join(home, 'dayz/south/profiles'));
  });

  it('may lie where this user may not read, which is said', async () => {
    await put('dayz/serverDZ.cfg', config('North'));
    await put('dayz/profiles/DayZServer_x64.ADM');
    const denied = (folder: string): Files => ({
      of(source) {
        const port = directFiles.of(source);
        const refuse = () => Promise.reject(new FileError({ code: 'EACCES', message: 'permission denied' }));
        return {
          ...port,
          list: (path, wanted) => (path === folder ? refuse() : port.list(path, wanted)),
        };
      },
    });
    const folder = join(home, 'dayz');
    expect(await findServersAt(denied(folder), folder, [])).toMatchObject({ servers: [], denied: [folder] });
    expect(await findLocalServers(denied(folder), machine(), [])).toMatchObject({
      servers: [],
      denied: [folder],
    });
    const profiles = join(folder, 'profiles');
    const { servers } = await findServersAt(denied(profiles), folder, []);
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
    expect(await findServersAt(directFiles, join(home, 'nowhere'), [])).toMatchObject({ servers: [] });
    const readme = await findServersAt(directFiles, join(home, 'dayz/readme.txt'), []);
    expect(readme).toMatchObject({ servers: [] });
  });

  it('is found in a folder that has the name of a map', async () => {
    await put('dayz/enoch/serverDZ.cfg', config('Livonia'));
    await put('dayz/enoch/addons/x.pbo');
    await put('dayz/enoch/sakhal/serverDZ.cfg', config('no server'));
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

describe('a running game server', () => {
  it('is read from the processes of Linux', async () => {
    await put('proc/17/cmdline', ['./DayZServer', '-config=x.cfg', '-port=2402', ''].join('\0'));
    await symlink('/srv/dayz', join(home, 'proc/17/cwd'));
    await put('proc/18/cmdline', ['wine64', 'C:\\dayz\\DayZServer_x64.exe', '-config=y.cfg', ''].join('\0'));
    await put('proc/19/cmdline', ['vim', '/srv/DayZServer.log', ''].join('\0'));
    await put('proc/20/status');
    expect(
      ((await runningOnLinux(join(home, 'proc'))) as (DayzLaunch & { game: string })[]).toSorted(
        (a, b) => (a.port ?? 0) - (b.port ?? 0),
      ),
    ).toMatchObject([
      { folder: null, config: 'y.cfg', isRunning: true },
      { folder: '/srv/dayz', config: 'x.cfg', port: 2402, isRunning: true },
    ]);
  });

  it('is read from the processes of Windows', () => {
    const one = {
      CommandLine:
        '"C:\\Game Servers\\DayZServer_x64.exe" "-config=my cfg.cfg" -port=2402 "-profiles=D:\\p r"',
      ExecutablePath: 'C:\\Game Servers\\DayZServer_x64.exe',
    };
    const read = { folder: 'C:\\Game Servers', config: 'my cfg.cfg', port: 2402, profiles: 'D:\\p r' };
    expect(readWindowsProcesses(JSON.stringify(one))).toMatchObject([read]);
    expect(
      readWindowsProcesses(JSON.stringify([one, { CommandLine: null, ExecutablePath: null }])),
    ).toMatchObject([read]);
    expect(readWindowsProcesses('\r\n')).toEqual([]);
  });
});

describe('start parameters', () => {
  it.each([
    ['-config="C:\\My Server\\x.cfg" -PORT=2402', { config: 'C:\\My Server\\x.cfg', port: 2402 }],
    ['"-profiles=C:\\a b" -BEpath=be', { profiles: 'C:\\a b', battleye: 'be' }],
    ['-port=99999 -config=', { port: null, config: null }],
    ['-port=abc "-config=open', { port: null, config: 'open' }],
  ])('are read from %s', (line, expected) => {
    expect(readLaunch(splitCommandLine(line))).toMatchObject(expected);
  });

  it('are read from scripts, with their variables', () => {
    const script =
      '#!/bin/sh\nexport CFG="my.cfg"\nPORT=2402\n# ./DayZServer -config=old.cfg\n./DayZServer -config=$CFG -port=${PORT} -profiles=$ELSEWHERE/p\n';
    expect(readStartScript(script)).toMatchObject([{ config: 'my.cfg', port: 2402, profiles: null }]);
  });

  it.each([
    ['the folder of the script', 'start DayZServer_x64.exe "-profiles=%~dp0p" -port=2402', './p'],
    ['the folder in which a shell is', './DayZServer "-profiles=$(pwd)/p" -port=2402', './p'],
    [
      'a variable with blanks and its quotes',
      'set AT="C:\\My Server\\"\r\nset /a PORT=2402\r\nstart DayZServer_x64.exe -profiles=%AT%p -port=%PORT%',
      'C:\\My Server\\p',
    ],
    [
      'variables of variables',
      'AT=/srv/a\nP="$AT/p"\nPORT="${PORT:-2402}"\n./DayZServer -profiles=$P -port=$PORT',
      '/srv/a/p',
    ],
    [
      'a list in PowerShell',
      `$port = 2402\nStart-Process DayZServer_x64.exe -ArgumentList "-profiles=p", '-port=2402'`,
      'p',
    ],
    ['a list of several lines', 'ARGS=(\n  -port=2402\n  -profiles=p\n)\n./DayZServer "${ARGS[@]}"', 'p'],
  ])('are read from scripts that name %s', (_, script, profiles) => {
    expect(readStartScript(script)).toMatchObject([{ port: 2402, profiles }]);
  });
});

describe('the usual folders', () => {
  it('are those of Windows there', () => {
    const variables = { 'ProgramFiles(x86)': 'C:\\Program Files (x86)', SystemDrive: 'C:' };
    const windows = { platform: 'win32' as const, home: 'C:\\Users\\kim', current: 'C:\\outpost', variables };
    const libraries = steamFolders(windows);
    expect(libraries).toContain('C:\\Program Files (x86)\\Steam');
    const folders = usualFolders(windows, libraries).map(({ folder }) => folder);
    expect(folders).toEqual(
      expect.arrayContaining([
        'C:\\Program Files (x86)\\Steam\\steamapps\\common\\DayZServer',
        'C:\\DayZServer',
        'D:\\WindowsGSM',
        'C:\\Users\\kim\\Desktop\\OmegaManager',
      ]),
    );
    expect(folders.every((folder) => /^[A-Z]:\\/.test(folder))).toBe(true);
    const logs = usualLogFolder(usualGame.servers, windows, 'C:\\DayZServer');
    expect(logs).toBe('C:\\Users\\kim\\AppData\\Local\\DayZ');
  });

  it('for logs are those of the user whose server it is', () => {
    const logs = (root: string) => usualLogFolder(usualGame.servers, machine(), root);
    expect(logs('/home/dayzserver/serverfiles')).toBe('/home/dayzserver/.local/share/DayZ');
    expect(logs('/srv/dayz')).toBe(join(home, '.local/share/DayZ'));
  });

  it('include the libraries of Steam', () => {
    expect(
      readLibraries('"libraryfolders" { "0" { "path"\t\t"D:\\\\Games" } "1" { "path" "/mnt/x" } }'),
    ).toEqual(['D:\\Games', '/mnt/x']);
  });
});

it('fills no memory with a script whose variables hold one another', () => {
  const lines = ['b', 'c', 'd', 'e', 'f'].map((name, i) => `set ${name}=${`%${'abcde'[i]}%`.repeat(130)}`);
  const script = `set a=${'x'.repeat(390)}\n${lines.join('\n')}\nDayZServer_x64.exe -config=%f% -port=2402\n`;
  const [launch] = readStartScript(script);
  expect(launch?.port).toBe(2402);
  expect(JSON.stringify(launch).length).toBeLessThan(5_000);
});
