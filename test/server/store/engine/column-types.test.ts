import { expect, test } from 'vitest';
import { typeOfColumn } from '../../../../src/server/store/engine/migrations/column-types.ts';
import { temporaryStore } from '../../ingest/fixture.ts';

const types: Readonly<Record<string, string>> = {
  INTEGER: 'integer',
  bigint: 'integer',
  int8: 'integer',
  REAL: 'real',
  float8: 'real',
  TEXT: 'text',
  text: 'text',
};
/** Tables of PostgreSQL alone, and Kysely's own. */
const others = /^(?:kysely_|lease$|lease_candidate$|request_limit$|live_list$)/;

test('a column has the same type in every table, and is written with it', async () => {
  const db = await temporaryStore();
  const tables = (await db.introspection.getTables()).filter(({ name }) => !others.test(name));
  const columns = tables.flatMap((table) =>
    table.columns
      // The keys of projects, servers, ban lists and applications are text.
      .filter(({ name, dataType }) => name !== 'id' || types[dataType] === 'integer')
      .map(({ name, dataType }) => [`${table.name}.${name}`, typeOfColumn(name), types[dataType]]),
  );
  expect(columns.length).toBeGreaterThan(200);
  expect(columns.filter(([, written, stored]) => written !== stored)).toEqual([]);
});
