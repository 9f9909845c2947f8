import { runFigures, type RunPlayerRow } from '../../src/server/store/engine/schema/run-figures.ts';

const nothing = Object.fromEntries(
  Object.entries(runFigures).map(([figure, { join }]) => [figure, join === 'longest' ? null : 0]),
) as RunPlayerRow;

/** The figures of a player in a run, of whom nothing else was counted. */
export const runRow = (figures: Partial<RunPlayerRow> = {}): RunPlayerRow => ({ ...nothing, ...figures });
