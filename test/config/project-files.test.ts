import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/schema.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-projects-'));
  mkdirSync(join(folder, 'projects'));
  writeMain();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writeMain = (text = 'discord: {}\n'): void => writeFileSync(join(folder, 'outpost.yaml'), text);
const write = (name: string, text: string): void => writeFileSync(join(folder, 'projects', name), text);
const pathOf = (name: string): string => join(folder, 'projects', name);
const read = (): Config => readConfig(join(folder, 'outpost.yaml'));
const guild = (number: number): string => `'11000000000000000${number}'`;

/** A project with one server and one guild. */
const project = (slug: string, number: number, more = ''): string => `slug: ${slug}
name: ${slug}
servers:
  - { id: ${slug}-1, name: S, host: h, port: 2302, logs: logs }
guilds:
  - { id: ${guild(number)}, locale: de }
${more}`;

const slugsOf = ({ projects }: Config): string[] => projects.map(({ slug }) => slug);

it('takes each file of the folder as one project, with its guilds', () => {
  writeMain('projects: [{ slug: main, name: Main }]\ndiscord: { guilds: [{ id: ' + guild(10) + ' }] }\n');
  write('b.yaml', project('bravo', 12));
  write('a.yml', project('alpha', 11));
  write('notes.txt', 'not a project');
  write('.hidden.yaml', 'not: a project');
  const config = read();
  expect(slugsOf(config)).toEqual(['main', 'alpha', 'bravo']);
  expect(config.discord?.guilds).toEqual([
    { id: '1100000000000000010' },
    { id: '1100000000000000011', locale: 'de', project: 'alpha' },
    { id: '1100000000000000012', locale: 'de', project: 'bravo' },
  ]);
  // Paths are taken from the folder of their file.
  expect(config.projects[1]?.servers[0]?.logs).toBe(pathOf('logs'));
  expect(config.projects[1]?.file).toBe(pathOf('a.yml'));
});

it('shows a project of a file on the public page', () => {
  const page = (slug: string): void => writeMain(`http: { page: { projects: [${slug}] } }\n`);
  write('a.yaml', project('alpha', 11));
  page('alpha');
  expect(read().http.page?.projects).toEqual(['alpha']);
  page('bravo');
  expect(read).toThrow(/line 1, http\.page\.projects\[0\]: expected the slug of a project, got "bravo"/);
});

it('needs a project somewhere', () => {
  expect(read).toThrow(/expected at least one project, here or in a file of its own/);
});

it('names the file, the line and the key of each mistake in any file', () => {
  write('a.yaml', project('alpha', 11, 'plam: PRO\n'));
  write('b.yaml', project('bravo', 12, 'nam: B\n'));
  write('c.yaml', project('charlie', 13));
  expect(read).toThrow(`${pathOf('b.yaml')} has a mistake:`);
  expect(read).toThrow(
    `${pathOf('a.yaml')} has a mistake:\n  line 7, plam: unknown key; expected one of slug,`,
  );
});

it.each([
  ['no YAML', 'slug: [', /not readable as YAML|expected/],
  ['nothing', '', /slug: expected a text, but it is missing/],
  ['UTF-16', '\u0000s\u0000l', /UTF-8/],
  ['keys of the config file', 'http: { port: 1 }\nslug: bravo\nname: B\n', /http: unknown key/],
  [
    'servers that a ban list does not find',
    'slug: b\nname: B\nbanlists: [{ id: l, name: L, servers: [x] }]',
    /banlists\[0\]\.servers\[0\]/,
  ],
])('refuses a file that holds %s', (_, text, message) => {
  write('a.yaml', project('alpha', 11));
  write('b.yaml', text);
  expect(read).toThrow(message);
});

it('names a file that cannot be read, and what to do', () => {
  write('a.yaml', project('alpha', 11));
  mkdirSync(pathOf('b.yaml'));
  expect(read).toThrow(/^cannot read \S+b\.yaml: it is a folder, and a file was expected\.\nName/);
});

it.skipIf(process.platform === 'win32')('refuses a folder that is away, whose projects would end', () => {
  rmSync(join(folder, 'projects'), { recursive: true });
  symlinkSync(join(folder, 'away'), join(folder, 'projects'));
  expect(read).toThrow(/^cannot read \S+projects: ENOENT/);
  unlinkSync(join(folder, 'projects'));
  writeFileSync(join(folder, 'projects'), '');
  expect(read).toThrow(/^cannot read \S+projects: ENOTDIR/);
});

it('names a file to which an editor has added .txt', () => {
  write('a.yaml', project('alpha', 11));
  write('b.yaml.txt', project('bravo', 12));
  expect(read).toThrow(`${pathOf('b.yaml.txt')} is not read: rename it to b.yaml.`);
});

it.each(['outpost.yaml.txt', 'outpost.yml'])('names a config that is called %s', (name) => {
  rmSync(join(folder, 'outpost.yaml'));
  writeFileSync(join(folder, name), '');
  expect(read).toThrow(`${join(folder, name)} is not read: rename it to ${join(folder, 'outpost.yaml')}`);
});

it('drops a project whose file is gone', () => {
  write('a.yaml', project('alpha', 11));
  write('b.yaml', project('bravo', 12));
  read();
  unlinkSync(pathOf('b.yaml'));
  expect(slugsOf(read())).toEqual(['alpha']);
});

it.each([
  [
    'slug',
    project('alpha', 12).replace('alpha-1', 'other'),
    'slug: expected a unique slug: "alpha"',
    'line 1',
  ],
  [
    'server',
    project('bravo', 12).replace('bravo-1', 'alpha-1'),
    'servers[0].id: expected a unique server id: "alpha-1"',
    'line 4',
  ],
  ['guild', project('bravo', 11), 'guilds[0].id: expected a unique guild: "1100000000000000011"', 'line 6'],
])('refuses a %s that another file has, and names both', (_, text, message, line) => {
  write('a.yaml', project('alpha', 11));
  write('b.yaml', text);
  expect(read).toThrow(`${pathOf('b.yaml')} has a mistake`);
  expect(read).toThrow(`${message} is already used in ${pathOf('a.yaml')}, ${line}`);
});

it('refuses an id of the config file, and names both', () => {
  write('a.yaml', project('alpha', 11));
  writeMain(
    'projects:\n  - slug: main\n    name: M\n    servers: [{ id: alpha-1, name: S, host: h, port: 1 }]\n',
  );
  expect(read).toThrow(
    `servers[0].id: expected a unique server id: "alpha-1" is already used in ${join(folder, 'outpost.yaml')}, line 4`,
  );
});

it('checks the projects that the config file names', () => {
  write('a.yaml', project('alpha', 11));
  writeMain(`discord:\n  project: alpha\n  guilds: [{ id: ${guild(20)}, project: alhpa }]\n`);
  expect(read).toThrow(/line 3, discord.guilds\[0\].project: expected the slug of a project, got "alhpa"/);
});

it('lets a post name servers of one project that a guild shows', () => {
  write('a.yaml', project('alpha', 11));
  write('b.yaml', project('bravo', 12));
  const posts = (servers: string) =>
    writeMain(`discord:\n  statusPosts: [{ channelId: ${guild(30)}, servers: [${servers}] }]\n`);
  posts('bravo-1');
  expect(slugsOf(read())).toEqual(['alpha', 'bravo']);
  posts('alpha-1, bravo-1');
  expect(read).toThrow(
    /statusPosts\[0\].servers\[1\]: expected a server of the project "alpha" like those before it/,
  );
});

it('refuses a guild that shows two projects', () => {
  writeMain(
    `projects: [{ slug: a, name: A }, { slug: b, name: B }]\ndiscord:\n  guilds: [{ id: ${guild(40)}, project: a }, { id: ${guild(40)}, project: b }]\n`,
  );
  expect(read).toThrow(/discord.guilds\[1\].project: expected one project for each guild/);
});
