import { expect, it, onTestFinished } from 'vitest';
import { StoreUnavailable } from '../../../../../src/server/store/engine/error.ts';
import type { TextStatements } from '../../../../../src/server/store/engine/connections.ts';
import { arrayText } from '../../../../../src/server/store/engine/postgres/text-statements.ts';
import { openNewDatabase } from '../../../../harness/new-store.ts';

async function open(): Promise<TextStatements> {
  const { shared, close } = await openNewDatabase({ busyTimeoutMs: 5_000 });
  onTestFinished(close);
  if (shared === undefined) throw new Error('expected PostgreSQL');
  return shared.texts;
}

const ownId = 'SELECT pg_backend_pid()::text';

it('passes values, lists and NULL on as they are', async () => {
  const texts = await open();
  const list = ['plain', '', ' ', 'a,b', '{}', '"', '\\', '\\"', "'", 'NULL', 'ü\n', null];
  const rows = await texts.run('SELECT element, $2::bigint FROM unnest($1::text[]) AS element', [
    arrayText(list),
    '9007199254740993',
  ]);
  expect(rows).toEqual(list.map((element) => [element, '9007199254740993']));
  expect(await texts.run('SELECT $1::bigint[]', [arrayText([1, null, -2])])).toEqual([['{1,NULL,-2}']]);
  expect(await texts.run('SELECT WHERE false', [])).toEqual([]);
});

it('keeps its connection, and goes on after a statement that failed', async () => {
  const texts = await open();
  const before = await texts.run(ownId, []);
  expect(await texts.run(ownId, [])).toEqual(before);
  await expect(texts.run('SELECT 1 / $1::integer', ['0'])).rejects.toThrow('division by zero');
  expect(await texts.run('SELECT 1 / $1::integer', ['1'])).toEqual([['1']]);
});

it('replaces a connection that the server has ended', async () => {
  const texts = await open();
  const before = await texts.run(ownId, []);
  await expect(texts.run('SELECT pg_terminate_backend(pg_backend_pid())', [])).rejects.toThrow(
    StoreUnavailable,
  );
  expect(await texts.run(ownId, [])).not.toEqual(before);
});

it('gives a connection up that does not answer', async () => {
  const texts = await open();
  await expect(texts.run('SELECT pg_sleep(30)', [])).rejects.toThrow(StoreUnavailable);
  expect(await texts.run('SELECT 1', [])).toEqual([['1']]);
});
