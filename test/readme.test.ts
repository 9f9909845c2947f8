import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { operations, type Operation } from '../src/api/operations.ts';
import { parseConfig } from '../src/config/parse.ts';
import { configJsonSchema } from '../src/config/schema.ts';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

it('lists every operation in the README with its scope and plan', () => {
  const [, table = ''] = read('README.md').split(
    '<!-- operations: checked against src/api/operations.ts -->',
  );
  const rows = [...table.matchAll(/^\| (GET|POST) +\| `([^`]+)` +\| (\S*) +\| (\S*) +\|$/gm)].map((match) =>
    match.slice(1),
  );
  const expected = Object.values(operations).map(({ method, path, scope, plan }: Operation) => [
    method,
    path,
    scope ?? '',
    plan ?? '',
  ]);
  expect(rows).toEqual(expected);
});

it('ships an example config that is good, and lists every key there is, but for deprecated ones', () => {
  const text = read('config/outpost.example.yaml');
  expect(() => parseConfig(text, 'outpost.example.yaml')).not.toThrow();
  const shown = keysOf(parse(text));
  // What only the queries of some games need is named in a comment.
  const isNamed = (key: string): boolean =>
    key.startsWith('.projects[].servers[].query.') &&
    new RegExp(`#.*\\b${key.slice(key.lastIndexOf('.') + 1)}\\b`).test(text);
  const missing = [...schemaKeys(configJsonSchema())].filter((key) => !shown.has(key) && !isNamed(key));
  expect(missing).toEqual([]);
});

it('ships the JSON Schema of the config as it is now', () => {
  expect(JSON.parse(read('config/outpost.schema.json'))).toEqual(
    JSON.parse(JSON.stringify(configJsonSchema())),
  );
});

it('ships a demo config that is good', () => {
  expect(() => parseConfig(read('config/demo/outpost.yaml'), 'demo')).not.toThrow();
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
