import path from 'node:path';
import { expect, test } from 'vitest';
import { FileError, type FileAccess } from 'game-files';
import { checkServerConfig, findServerConfig } from '../../../src/cli/dayz/server-config.ts';
import { readServerConfig } from 'dayz-files';
import type { ServerConfig } from '../../../src/config/schema.ts';
import { serverDz } from '../checks/installation.ts';

/** A port with these files, by the paths of Windows. */
function windows(files: Record<string, string>): FileAccess {
  const missing = () => new FileError({ code: 'ENOENT', message: 'no such file' });
  return {
    path: path.win32,
    pollEveryMs: 1_000,
    stepBytes: 1_000,
    async list(folder, { matching }) {
      const own = Object.entries(files).filter(([file]) => path.win32.dirname(file) === folder);
      return own
        .map(([file, text]) => ({
          name: path.win32.basename(file),
          stat: { size: text.length, changedAt: 0, identity: null },
        }))
        .filter(({ name }) => matching.test(name));
    },
    async read(file) {
      const text = files[file];
      if (text === undefined) throw missing();
      return { stat: { size: text.length, changedAt: 0, identity: null }, parts: [Buffer.from(text)] };
    },
    stat: () => Promise.reject(missing()),
  };
}

const server = (over: Partial<ServerConfig>): ServerConfig =>
  ({ id: 's', name: 'S', host: '127.0.0.1', port: 2302, queryPort: 27016, ...over }) as ServerConfig;
const playersDb = 'C:\\DayZ\\mpmissions\\dayzOffline.enoch\\storage_2\\players.db';
const enoch = { instanceId: 2, template: 'dayzOffline.enoch' };

test.each([
  ['above the mission', { playersDb }, 'C:\\DayZ\\serverDZ.cfg'],
  ['beside the profiles', { logs: 'C:\\DayZ\\profiles' }, 'C:\\DayZ\\serverDZ.cfg'],
  ['in the folder of the logs', { logs: 'D:\\logs' }, 'D:\\logs\\my server.cfg'],
])('finds serverDZ.cfg %s', async (_where, paths, file) => {
  const port = windows({ [file]: serverDz(enoch), 'C:\\DayZ\\basic.cfg': 'MaxMsgSend = 128;\n' });
  const found = await findServerConfig(server(paths), port);
  expect(found?.file).toBe(file);
  expect(checkServerConfig(server(paths), found!, port)).toEqual([
    expect.objectContaining({ status: 'good', tried: file }),
  ]);
});

test('of several, takes the one with the query port, of copies the usual name, else none', async () => {
  const at = (name: string): string => `C:\\DayZ\\${name}`;
  const find = async (files: Record<string, string>): Promise<string | undefined> =>
    (await findServerConfig(server({ playersDb }), windows(files)))?.file;
  const other = serverDz({ instanceId: 1, steamQueryPort: 27017 });
  const own = serverDz({ ...enoch, steamQueryPort: 27016 });
  expect(await find({ [at('one.cfg')]: other, [at('two.cfg')]: own })).toBe(at('two.cfg'));
  expect(await find({ [at('old.cfg')]: own, [at('serverDZ.cfg')]: own })).toBe(at('serverDZ.cfg'));
  expect(await find({ [at('one.cfg')]: own, [at('two.cfg')]: own })).toBeUndefined();
});

test('another query port is a fault on this machine; elsewhere a router may pass one on', () => {
  const found = { file: 'C:\\DayZ\\serverDZ.cfg', config: readServerConfig(Buffer.from(serverDz(enoch))) };
  const check = (host: string): unknown[] =>
    checkServerConfig(server({ host, queryPort: 30_016 }), found, windows({}));
  expect(check('203.0.113.7')).toMatchObject([{ status: 'good' }]);
  expect(check('127.0.0.1')).toMatchObject([{ status: 'warning', next: 'set queryPort: 27016' }]);
});
