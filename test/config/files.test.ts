import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { banNamesPath } from 'game-files';
import { ConfigError, type ConfigMistake } from '../../src/config/error.ts';
import { readConfig } from '../../src/config/load.ts';
import { parseConfig } from '../harness/parse-config.ts';
import type { Config } from '../../src/config/schema.ts';

const readVariable = (name: string) => (name === 'SFTP_PASSWORD' ? 'correct horse' : undefined);

const written = (files: string, more = '', lists = ''): string => `projects:
  - slug: a
    name: A
    servers:
      - id: s
        name: S
        host: h
        port: 2302
        files: ${files}
        ${more}
    banlists: [${lists}]
`;

const sftp = '{ type: sftp, host: h, username: u, password: { env: SFTP_PASSWORD } }';

const parse = (text: string): Config => parseConfig(text, join(folder, 'outpost.yaml'), null, readVariable);

function mistakesOf(text: string): readonly ConfigMistake[] {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-config-'));
  writeFileSync(join(folder, 'key.pem'), 'KEY\r\n');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [sftp, { type: 'sftp', host: 'h', port: 22, username: 'u', password: 'correct horse' }],
  [
    '{ type: sftp, host: h, port: 2022, username: u, privateKey: { file: key.pem }, passphrase: { env: SFTP_PASSWORD } }',
    { type: 'sftp', host: 'h', port: 2022, username: 'u', privateKey: 'KEY', passphrase: 'correct horse' },
  ],
  [
    '{ type: ftps, host: h, username: u, password: { env: SFTP_PASSWORD } }',
    { type: 'ftps', host: 'h', port: 21, username: 'u', password: 'correct horse' },
  ],
  [
    '{ type: nitrado, serviceId: 1234567, token: { env: SFTP_PASSWORD } }',
    { type: 'nitrado', serviceId: '1234567', token: 'correct horse' },
  ],
])('reads where files lie and the secrets for it: %s', (files, place) => {
  expect(parse(written(files)).projects[0]?.servers[0]?.files).toEqual(place);
});

it.each([
  [
    '{ type: sftp, host: h, username: u, password: hunter2 }',
    'password',
    'a secret never stands in this file',
  ],
  ['{ type: sftp, host: h, username: u, password: 4711 }', 'password', '{ env: NAME }'],
  ['{ type: sftp, host: h, username: u, password: { env: "hunter 2" } }', 'password', '{ env: NAME }'],
  [
    '{ type: sftp, host: h, username: u, privateKey: { file: "-----BEGIN\\nhunter2" } }',
    'privateKey',
    '{ file: PATH }',
  ],
  ['sftp://u:hunter2@h/', '', 'expected where the files lie'],
  ['{ type: sftp, host: "u:hunter2@h", username: u, password: { env: SFTP_PASSWORD } }', 'host', 'alone'],
])('never repeats a secret that was written into the file: %s', (files, key, message) => {
  const mistakes = mistakesOf(written(files));
  expect(mistakes).toHaveLength(1);
  expect(mistakes[0]?.key).toBe(`projects[0].servers[0].files${key === '' ? '' : `.${key}`}`);
  expect(mistakes[0]?.message).toContain(message);
  expect(JSON.stringify(mistakes)).not.toMatch(/hunter|4711/);
});

it.each([
  [
    '{ type: sftp, host: h, username: u, password: { env: NO_SUCH } }',
    'password',
    'put the line NO_SUCH=… there',
  ],
  [
    '{ type: sftp, host: h, username: u, privateKey: { file: gone.pem } }',
    'privateKey',
    'gone.pem, which is not there',
  ],
  ['{ type: sftp, host: h, username: u }', '', 'expected a password or a privateKey'],
])('names the key of a secret that is missing: %s', (files, key, message) => {
  const [mistake] = mistakesOf(written(files));
  expect(mistake?.key).toBe(`projects[0].servers[0].files${key === '' ? '' : `.${key}`}`);
  expect(mistake?.line).toBe(9);
  expect(mistake?.message).toContain(message);
});

it('needs no secrets of a server that is switched off', () => {
  const unknown = '{ type: sftp, host: h, username: u, password: { env: MISSING } }';
  expect(mistakesOf(written(unknown, 'active: false'))).toEqual([]);
});

it('reads secrets from the environment and from files beside the config', () => {
  const file = join(folder, 'outpost.yaml');
  writeFileSync(join(folder, 'password.txt'), 'from a file\n');
  writeFileSync(
    file,
    written('{ type: ftps, host: h, username: u, password: { file: password.txt } }', 'logs: profiles'),
  );
  const server = readConfig(file).projects[0]?.servers[0];
  expect(server?.files).toMatchObject({ password: 'from a file' });
  expect(server?.logs).toBe('profiles');
  writeFileSync(file, written('{ type: ftps, host: h, username: u, password: { env: OUTPOST_TEST_NONE } }'));
  expect(() => readConfig(file)).toThrow(/files\.password: .*OUTPOST_TEST_NONE/);
  writeFileSync(file, written('{ type: ftps, host: h, username: u, password: { file: gone.txt } }'));
  expect(() => readConfig(file)).toThrow(`the file ${join(folder, 'gone.txt')}, which is not there`);
  mkdirSync(join(folder, 'gone.txt'));
  expect(() => readConfig(file)).toThrow('cannot read gone.txt: it is a folder, and a file was expected.');
});

it('leaves paths of another machine as they are, with / on every system', () => {
  const text = written(
    sftp,
    'playersDb: /dayz/mpmissions/m/storage_1/players.db\n        schedules: [{ source: messages.xml }]',
    '{ id: b, name: B, sources: [{ file: /dayz/bans.txt, filesOf: s, format: battleye }] }',
  );
  writeFileSync(join(folder, 'outpost.yaml'), text.replace('{ env: SFTP_PASSWORD }', '{ file: p }'));
  writeFileSync(join(folder, 'p'), 'x');
  const project = readConfig(join(folder, 'outpost.yaml')).projects[0];
  expect(project?.servers[0]?.playersDb).toBe('/dayz/mpmissions/m/storage_1/players.db');
  expect(project?.servers[0]?.schedules[0]).toMatchObject({ file: '/dayz/mpmissions/m/db/messages.xml' });
  expect(project?.banlists[0]?.sources[0]).toMatchObject({ file: '/dayz/bans.txt', filesOf: 's' });
  const [mistake] = mistakesOf(written(sftp, String.raw`logs: 'C:\dayz\profiles'`));
  expect(mistake).toMatchObject({ key: 'projects[0].servers[0].logs' });
  expect(mistake?.message).toContain('with / instead of \\');
});

it('takes the files of a ban list only from a server that has them elsewhere', () => {
  const list = (id: string): string =>
    `{ id: b, name: B, sources: [{ file: /b.txt, filesOf: ${id}, format: battleye }] }`;
  expect(mistakesOf(written(sftp, '', list('s')))).toEqual([]);
  expect(mistakesOf(written(sftp, '', list('t')))[0]?.message).toContain('that has the key files, got "t"');
});

it('knows the same path at another place from the same path at the same place', () => {
  const second = (files: string): string => `
      - id: t
        name: T
        host: h
        port: 2402
        files: ${files}
        logs: /profiles/`;
  expect(mistakesOf(written(sftp, `logs: /profiles${second(sftp.replace('host: h', 'host: i'))}`))).toEqual(
    [],
  );
  const [mistake] = mistakesOf(written(sftp, `logs: /profiles/${second(sftp)}`));
  expect(mistake?.message).toContain('server "s" has the same');
});

it('reads the banned names of a server at Nitrado, and its logs where they are by default', () => {
  const nitrado = '{ type: nitrado, serviceId: 1234567, token: { env: SFTP_PASSWORD } }';
  const names = (more: string) =>
    written(nitrado, '', `{ id: b, name: B, sources: [{ format: nitrado, ${more} }] }`);
  const [project] = parse(names('filesOf: s')).projects;
  expect(project?.servers[0]?.logs).toBe('config');
  expect(project?.banlists[0]?.sources[0]).toEqual({
    format: 'nitrado',
    filesOf: 's',
    file: banNamesPath,
  });
  const logs = (path: string) => parse(written(nitrado, `logs: ${path}`)).projects[0]?.servers[0]?.logs;
  expect(logs('/games/ni1_1/noftp/dayzps/config')).toBe('/games/ni1_1/noftp/dayzps/config');
  expect(parse(written(nitrado, 'game: rust')).projects[0]?.servers[0]?.logs).toBeUndefined();
  expect(mistakesOf(names('filesOf: other'))).toMatchObject([
    {
      key: 'projects[0].banlists[0].sources[0].filesOf',
      message: expect.stringContaining('files at Nitrado'),
    },
  ]);
  expect(mistakesOf(names('filesOf: s, file: ban.txt'))).toMatchObject([
    { key: 'projects[0].banlists[0].sources[0].file' },
  ]);
  expect(
    mistakesOf(written(sftp, '', '{ id: b, name: B, sources: [{ format: nitrado, filesOf: s }] }')),
  ).toMatchObject([{ message: expect.stringContaining('has its files at Nitrado') }]);
  expect(
    mistakesOf(written(nitrado, '', '{ id: b, name: B, sources: [{ file: b, format: x }] }')),
  ).toMatchObject([
    {
      message: expect.stringMatching(/expected a format: battleye, dayz.* with a file, or nitrado/),
    },
  ]);
});

it('refuses two servers with the same service, whose logs lie in the default folder', () => {
  const server = (id: string) =>
    `{ id: ${id}, name: S, host: h, port: 1, files: { type: nitrado, serviceId: 7, token: { env: SFTP_PASSWORD } } }`;
  const text = `projects: [{ slug: a, name: A, servers: [${server('s')}, ${server('t')}] }]`;
  expect(mistakesOf(text)).toMatchObject([{ key: 'projects[0].servers[1].logs' }]);
});

it.each([
  [sftp, sftp.replace('host: h,', 'host: H, port: 22,')],
  [
    '{ type: nitrado, serviceId: 4711, token: { env: SFTP_PASSWORD } }',
    '{ type: nitrado, serviceId: "4711", token: { env: SFTP_PASSWORD } }',
  ],
])('lets no two servers read the same logs, however their place is written: %s', (one, other) => {
  const second = `- { id: t, name: T, host: h, port: 2402, logs: /logs, files: ${other} }`;
  const [mistake] = mistakesOf(written(one, `logs: /logs\n      ${second}`));
  expect(mistake?.message).toContain('server "s" has the same');
});

it('quotes no token that stands in the place of the service number', () => {
  const mistakes = mistakesOf(
    written('{ type: nitrado, serviceId: tok-3kf9, token: { env: SFTP_PASSWORD } }'),
  );
  expect(mistakes).toMatchObject([{ message: expect.stringMatching(/^expected the number of the service/) }]);
  expect(JSON.stringify(mistakes)).not.toContain('tok-3kf9');
});
