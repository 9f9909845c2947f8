import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { expect, it } from 'vitest';
import { isNode, parse, parseDocument, visit } from 'yaml';
import { commandHelp } from '../scripts/command-help.ts';
import { withChannelLists } from '../scripts/config-example.ts';
import { guideTables } from '../scripts/guide-tables.ts';
import { forOwner } from '../scripts/package/staging.ts';
import { textOfSvg } from '../scripts/terminal-svg.ts';
import { errorCodes } from '../src/api/errors.ts';
import { errorsOf, operationIds } from '../src/api/operations.ts';
import { commands } from '../src/commands/index.ts';
import { visibilityOf } from '../src/commands/visibilities.ts';
import { parseConfig } from './harness/parse-config.ts';
import { run } from '../src/cli/program.ts';
import { environmentSchema } from '../src/config/environment.ts';
import { configSchema, jsonSchemaOf, projectFileSchema } from '../src/config/schema.ts';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = globSync('{*.md,docs/**/*.md,config/**/*.md,.github/**/*.md,packages/*/*.md}', { cwd: root });

it.each(['operations', 'metrics'])('lists all %s (if not: npm run openapi)', (name) => {
  const table = tableAfter('docs/api.md', `${name}: written by npm run openapi from src/api/${name}.ts`);
  expect(table).toEqual(guideTables[name]?.slice(1));
});

it('lists every slash command, and which answer privately', () => {
  const table = tableAfter('docs/bot.md', 'commands: checked against src/commands/index.ts');
  const listed = table.flatMap(([cell = '']) => /^`\/([a-z]+)/.exec(cell)?.[1] ?? []);
  expect(new Set(listed)).toEqual(new Set(Object.keys(commands)));
  const [, sentence = ''] = /([^.]*) answer privately/.exec(read('docs/bot.md')) ?? [];
  const named = [...sentence.matchAll(/`\/([a-z]+)`/g)].map(([, name]) => name);
  const isPrivate = (name: string): boolean => visibilityOf(name) === 'private';
  expect(new Set(named)).toEqual(new Set(Object.keys(commands).filter(isPrivate)));
});

it('lists every error of an operation with its status', () => {
  const table = tableAfter('docs/api.md', 'errors: checked against src/api/errors.ts');
  const codes = new Set([...operationIds.flatMap((id) => errorsOf(id)), 'method_not_allowed'] as const);
  const expected = Array.from(codes, (code) => `${errorCodes[code]} \`${code}\``);
  expect(new Set(table.map(([status, code]) => `${status} ${code}`))).toEqual(new Set(expected));
});

it('lists every environment variable with its default', () => {
  const table = tableAfter('docs/configuration.md', 'environment: checked against src/config/environment.ts');
  const shown = table.map(([name, , preset]) => [name, preset]);
  const defaults: Record<string, string | number | undefined> = environmentSchema.parse({});
  const expected = Object.keys(environmentSchema.shape).map((name) => [
    `\`${name}\``,
    defaults[name] === undefined ? '' : `\`${defaults[name]}\``,
  ]);
  expect(new Map(shown as [string, string][])).toEqual(new Map(expected as [string, string][]));
});

it.each(pages)('%s links only to files and headings that exist', (page) => {
  const broken = linksOf(page).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), decodeURI(path));
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
  expect(broken).toEqual([]);
});

it('links for owners only to what a release archive has, too', () => {
  const missing = ['README.md', ...pages.filter((page) => page.startsWith('docs/'))].flatMap((page) =>
    linksOf(page)
      .map((link) => join(dirname(page), link.split('#')[0] || basename(page)))
      .filter((target) => !forOwner.some((given) => target === given || target.startsWith(`${given}/`)))
      .map((target) => `${page}: ${target}`),
  );
  expect(missing).toEqual([]);
});

it('reaches every page of the documentation from the README', () => {
  const linked = new Set(['README.md']);
  for (const page of linked) {
    for (const link of linksOf(page)) {
      const target = join(dirname(page), link.split('#')[0] ?? '');
      if (target.endsWith('.md') && existsSync(join(root, target))) linked.add(target);
    }
  }
  expect(pages.filter((page) => page.startsWith('docs/') && !linked.has(page))).toEqual([]);
});

it('names only commands of the program and scripts of package.json', async () => {
  const texts = pages.map(read).join('\n');
  const blocks = [...texts.matchAll(/```(\w*)\n([^]*?)```/g)].filter(([, language = '']) =>
    ['', 'sh'].includes(language),
  );
  const spans = texts.replace(/```[^]*?```/g, '').matchAll(/`([^`\n]+)`/g);
  const code = [...blocks.map(([, , text]) => text), ...[...spans].map(([, text]) => text)];
  const scripts = new Set(
    code.flatMap((text = '') => [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name)),
  );
  const { scripts: known } = JSON.parse(read('package.json')) as { scripts: object };
  expect([...scripts].filter((name = '') => !(name in known))).toEqual([]);
  const commands = new Set(
    code.flatMap((text = '') =>
      [...text.matchAll(/^(?:npx )?outpost ([a-z-]+)(?: ([a-z-]+))?/gm)].map(([, ...words]) =>
        words.filter((word) => word !== undefined && !word.startsWith('-')).join(' '),
      ),
    ),
  );
  expect(commands.size).toBeGreaterThan(10);
  const unknown: string[] = [];
  for (const command of commands) {
    const [name = '', sub = ''] = command.split(' ');
    if (name === '') continue;
    const usage = await usageOf(name);
    const isGroup = usage.includes('[command]');
    const expected = `outpost ${isGroup && sub !== '' ? command : name} `;
    if (!`${isGroup ? await usageOf(name, sub) : usage} `.startsWith(expected)) unknown.push(command);
  }
  expect(unknown).toEqual([]);
});

/** How the help says to use a command; of a name that is no command, that is its parent's. */
async function usageOf(...words: string[]): Promise<string> {
  let help = '';
  const output = { out: (text: string) => void (help += text), err: () => undefined };
  await run([...words.filter(Boolean), '--help'], output);
  return /^Usage: (.*)/.exec(help)?.[1] ?? '';
}

it('shows the help of every command as it is; else: npx tsx scripts/pictures.ts help', async () => {
  const shown = globSync('docs/terminal/help-*.svg', { cwd: root }).map((file) => [
    /help-(.*)\.svg/.exec(file)?.[1],
    textOfSvg(read(file)),
  ]);
  const help = await commandHelp();
  expect(new Map(shown as [string, string][])).toEqual(help);
  // As wide as the pictures, and as many terminals.
  const lines = [...help.values()].flatMap((text) => text.split('\n'));
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

it('ships an example config that is good, and lists every key there is, but for deprecated ones', () => {
  const text = read('config/outpost.example.yaml');
  const example = parseConfig(text, 'outpost.example.yaml');
  // What the config fills in where a key is left out is what the example shows as the default.
  const document = parseDocument(text);
  let defaults = 0;
  visit(document, {
    Pair(_, { value }) {
      if (!isNode(value) || !/^ default(;|$)/.test(value.comment ?? '')) return undefined;
      defaults += 1;
      return visit.REMOVE;
    },
  });
  expect(defaults).toBeGreaterThan(30);
  expect(example).toMatchObject(parseConfig(document.toString(), 'outpost.example.yaml'));
  const shown = keysOf(parse(text));
  // What only the queries of some games need is named in a comment.
  const isNamed = (key: string): boolean =>
    key.startsWith('.projects[].servers[].query.') &&
    new RegExp(`#.*\\b${key.slice(key.lastIndexOf('.') + 1)}\\b`).test(text);
  const missing = [...schemaKeys(jsonSchemaOf(configSchema))].filter(
    (key) => !shown.has(key) && !isNamed(key),
  );
  expect(missing).toEqual([]);
});

it('shows the channel jobs in the example config as they are; else: npm run config-schema', () => {
  const text = read('config/outpost.example.yaml');
  expect(withChannelLists(text)).toBe(text);
});

it.each([
  ['outpost', configSchema],
  ['project', projectFileSchema],
])('ships the JSON Schema of the config as it is now: %s', (name, schema) => {
  expect(JSON.parse(read(`config/${name}.schema.json`))).toEqual(
    JSON.parse(JSON.stringify(jsonSchemaOf(schema))),
  );
});

it('ships a demo config that is good', () => {
  const { projects, discord } = parseConfig(read('config/demo/outpost.yaml'), 'demo');
  expect(projects.map(({ servers, banlists }) => [servers.length, banlists.length])).toEqual([[2, 1]]);
  expect(discord?.statusPosts.length).toBeGreaterThan(0);
});

function keysOf(value: unknown, at = ''): Set<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((entry) => [...keysOf(entry, `${at}[]`)]));
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(
    Object.entries(value).flatMap(([key, inner]) => [`${at}.${key}`, ...keysOf(inner, `${at}.${key}`)]),
  );
}

function schemaKeys(schema: object, at = ''): Set<string> {
  const {
    properties = {},
    items,
    oneOf = [],
  } = schema as {
    properties?: Record<string, object>;
    items?: object;
    oneOf?: object[];
  };
  const shown = Object.entries(properties).filter(([, inner]) => !('deprecated' in inner));
  const own = shown.flatMap(([key, inner]) => [`${at}.${key}`, ...schemaKeys(inner, `${at}.${key}`)]);
  return new Set([
    ...own,
    ...oneOf.flatMap((one) => [...schemaKeys(one, at)]),
    ...(items === undefined ? [] : schemaKeys(items, `${at}[]`)),
  ]);
}

/** The cells of the table after a comment, without its heading. */
function tableAfter(page: string, comment: string): string[][] {
  const [, text = ''] = read(page).split(`<!-- ${comment} -->`);
  const [table = ''] = text.trim().split('\n\n');
  const cells = table.split('\n').map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return cells.slice(2);
}

const withoutCode = (text: string): string => text.replace(/```[^]*?```/g, '').replace(/`[^`\n]*`/g, 'code');

/** Links and pictures of a page that lead to files. */
function linksOf(page: string): string[] {
  return [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** Anchors of a page's headings, as GitHub forms them. */
function anchorsOf(page: string): string[] {
  const headings = read(page)
    .replace(/```[^]*?```/g, '')
    .matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
