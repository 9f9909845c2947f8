import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as tar from 'tar';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const names = ['dayz-files', 'game-files', 'local-discord'];
const packed = mkdtempSync(join(tmpdir(), 'outpost-packed-'));
beforeAll(() => {
  const paths = names.map((name) => `./packages/${name}`);
  const options = ['--silent', '--ignore-scripts', '--pack-destination', packed];
  execFileSync('npm', ['pack', ...options, ...paths], { cwd: root });
});
afterAll(() => rmSync(packed, { recursive: true }));

/** A folder in which nothing but a package is installed, as npm packs it, with the dependencies that it names. */
async function installAlone(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `outpost-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = readdirSync(packed).find((one) => one.startsWith(`${name}-`)) ?? '';
  const place = join(folder, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  await tar.extract({ file: join(packed, file), cwd: place, strip: 1 });
  const { dependencies } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const needed of [...Object.keys(dependencies), '@types/node']) {
    const link = join(folder, 'node_modules', needed);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', needed), link);
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

/** Compiles a program with every check, types of packages included, and runs it. @returns what it prints */
function compileAndRun(folder: string, program: string): string {
  writeFileSync(join(folder, 'program.ts'), program);
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, ...options, 'program.ts'], { cwd: folder, stdio: 'pipe' });
  return execFileSync(process.execPath, ['program.js'], { cwd: folder, encoding: 'utf8' }).trim();
}

it.each([
  [
    'dayz-files',
    `import { readBans, banFormats, type BanEntry } from 'dayz-files';
     import { steamIdPattern } from 'dayz-files/ids';
     const kinds: string[] = Object.keys(banFormats);
     const reason = (entry: BanEntry) => entry.reason;
     console.log(kinds.length > 0, typeof readBans, typeof reason, steamIdPattern.test('76561198000000001'));`,
    'true function function true',
  ],
  [
    'game-files',
    `import { LocalFiles, RemotePlaces, type FileAccess } from 'game-files';
     const source: FileAccess = new LocalFiles().of('package');
     const [entry] = await source.list('.', { matching: /^package\\.json$/, stat: 'all' });
     const sftp = { type: 'sftp', host: '127.0.0.1', port: 1, username: 'u', password: 'p' } as const;
     const failure: unknown = await new RemotePlaces().at(sftp).login().catch((error: unknown) => error);
     console.log(entry?.stat?.size, (failure as { code: string }).code);`,
    '20 EREMOTE',
  ],
  [
    'local-discord',
    `import { startLocalDiscord, type LocalDiscord } from 'local-discord';
     const discord: LocalDiscord = await startLocalDiscord({ token: 't' });
     const get = async (url: string): Promise<number> => (await fetch(url)).status;
     const headers = { authorization: 'Bot t' };
     const { name } = (await (await fetch(discord.apiUrl + '/v10/applications/@me', { headers })).json()) as { name: string };
     console.log(await get(discord.pageUrl), await get(discord.pageUrl + 'page/main.js'), name);
     await discord.close();`,
    '200 200 Bot',
  ],
])('%s is used alone, with its types and its license', async (name, program, expected) => {
  const folder = await installAlone(name);
  expect(compileAndRun(folder, program)).toBe(expected);
  expect(readFileSync(join(folder, 'node_modules', name, 'LICENSE'), 'utf8')).toContain('MIT License');
});
