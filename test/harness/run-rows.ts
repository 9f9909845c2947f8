import { runFigures, type RunPlayerRow } from '../../src/server/store/engine/schema/run-figures.ts';

const nothing = Object.fromEntries(runFigures.map((figure) => [figure, 0])) as RunPlayerRow;

/** The figures of a player in a run, of whom nothing else was counted. */
export const runRow = (figures: Partial<RunPlayerRow> = {}): RunPlayerRow => ({ ...nothing, ...figures });
