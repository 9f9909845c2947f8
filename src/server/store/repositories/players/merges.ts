import { rowsOf } from '../../engine/dialect.ts';

/** A player who turned out to be another one. */
export interface Merge {
  from: number;
  into: number;
}

/** The players in merges: those who go, and those who stay. */
export const playersOf = (merges: readonly Merge[]): number[] => [
  ...new Set(merges.flatMap(({ from, into }) => [from, into])),
];

/** Whom each player turned out to be. */
export const targetsOf = (merges: readonly Merge[]): ReadonlyMap<number, number> =>
  new Map(merges.map(({ from, into }) => [from, into]));

/** Merges as a table in FROM. */
export const mergesAs = (alias: string, merges: readonly Merge[]) =>
  rowsOf(
    alias,
    { gone: 'integer', kept: 'integer' },
    merges.map(({ from, into }) => [from, into]),
  );
