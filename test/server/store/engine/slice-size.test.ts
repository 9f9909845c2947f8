import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';
import { SliceSize } from '../../../../src/server/store/engine/slice-size.ts';

const never = (): never => {
  throw new Error('expected no statement');
};
const sqlite = new Kysely<never>({ dialect: new SqliteDialect({ database: never }) });
const postgres = new Kysely<never>({ dialect: new PostgresDialect({ pool: never }) });

test('slices shrink until a transaction is short, and grow while it is shorter than it may be', () => {
  const slices = new SliceSize(sqlite, { first: 1_000, most: 3_000, least: 10 });
  /** The sizes of the next transactions, where a row costs so many milliseconds. */
  const sizesAt = (msPerRow: number): number[] =>
    Array.from({ length: 4 }, () => {
      const size = slices.current;
      slices.took(size, size * msPerRow);
      return size;
    });
  expect(sizesAt(0.1)).toEqual([1_000, 1_000, 1_000, 1_000]);
  expect(sizesAt(0.001)).toEqual([1_000, 2_000, 3_000, 3_000]);
  expect(sizesAt(0.2)).toEqual([3_000, 750, 750, 750]);
  expect(sizesAt(1_000)).toEqual([750, 187, 46, 11]);
  expect(sizesAt(1_000)).toEqual([10, 10, 10, 10]);
});

test('slices are shorter on PostgreSQL, where they cost no more', () => {
  const slices = new SliceSize(postgres, { first: 1_000, most: 4_000, least: 10 });
  slices.took(1_000, 50);
  expect(slices.current).toBe(1_000);
  slices.took(1_000, 100);
  expect(slices.current).toBe(500);
});

test('a few rows that were fast or slow by chance say little', () => {
  const slices = new SliceSize(sqlite, { first: 1_000, most: 4_000, least: 10 });
  slices.took(10, 1);
  expect(slices.current).toBe(1_000);
  slices.took(10, 5_000);
  expect(slices.current).toBe(250);
});
