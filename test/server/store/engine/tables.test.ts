import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Table } from '../../../../src/server/store/engine/schema/columns.ts';
import { tables } from '../../../../src/server/store/engine/schema/schema.ts';

test('the picture in the README has every table, and every table to which one refers', () => {
  const readme = readFileSync('src/server/store/README.md', 'utf8');
  const picture = /```mermaid\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const drawn = [...picture.matchAll(/^ {4}(\w+)(?: --> (.*))?$/gm)].map(([, table = '', others]) => [
    table,
    others?.split(' & ').toSorted() ?? [],
  ]);
  const referredTo = ({ columns, constraint = '' }: Table): string[] => {
    const rules = [constraint, ...Object.values(columns).map((column) => column.constraint)];
    return [...new Set(rules.flatMap((rule) => /REFERENCES (\w+)/.exec(rule)?.[1] ?? []))];
  };
  const defined = Object.entries<Table>(tables).map(([name, definition]) => [
    name,
    referredTo(definition).toSorted(),
  ]);
  expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(defined));
});

test('a name of a column has one type in all tables, by which rows are passed to PostgreSQL', () => {
  const types = new Map<string, Set<string>>();
  for (const { columns } of Object.values<Table>(tables))
    for (const [name, { type }] of Object.entries(columns))
      types.set(name, (types.get(name) ?? new Set()).add(type));
  expect([...types].flatMap(([name, found]) => (found.size > 1 ? [name] : []))).toEqual(['id']);
});
