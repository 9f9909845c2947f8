import { rowsOf } from '../../engine/dialect.ts';

/** A player who turned out to be another one. */
export interface Merge {
  from: number;
  into: number;
}

/** Merges as a table in FROM. */
export const mergesAs = (alias: string, merges: readonly Merge[]) =>
  rowsOf(
    alias,
    { gone: 'integer', kept: 'integer' },
    merges.map(({ from, into }) => [from, into]),
  );
