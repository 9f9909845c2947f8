import type { LogAge } from '../../../store/repositories/logs/log-age.ts';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import type { RosterAge } from '../../../store/repositories/logs/rosters.ts';
import type { RunOutcome } from '../../../store/repositories/logs/run-copies.ts';
import type { LogChanges } from '../reading/log-counter.ts';

export interface ReadPart {
  /** The file name to be stored with runs. */
  fileName: string;
  changes: LogChanges;
  /** Left out: it is history. */
  age?: LogAge;
  /** The file's new state, and its previous one (null: it is new); left out: its state is not stored. */
  file?: { now: LogFile; previous: Pick<LogFile, 'position'> | null };
  /** How old the part's information is about who is on; left out: it has none. */
  rosterAge?: RosterAge;
  /** Called for each run after it was stored. */
  onStored?: (header: string, outcome: RunOutcome) => void;
}

/** How much there is to be stored: people, and players of runs. */
export const rowsOf = (parts: readonly ReadPart[]): number =>
  parts.reduce((sum, { changes: { sightings, runs } }) => sum + sightings.size + rowsOfRuns(runs), 0);

const rowsOfRuns = (runs: LogChanges['runs']): number => runs.reduce((sum, { rows }) => sum + rows.size, 0);

/** Removes and returns the first of the parts, of about so many rows, and at least one. */
export function takeSlice(parts: ReadPart[], fullRows: number): ReadPart[] {
  const slice: ReadPart[] = [];
  for (let left = fullRows; left > 0;) {
    const part = parts.shift();
    if (part === undefined) break;
    const rows = rowsOf([part]);
    // What says who is on is a part of a run, which is stored at once.
    if (rows <= left || part.rosterAge !== undefined) slice.push(part);
    else {
      const [first, rest] = splitPart(part, left);
      slice.push(first);
      if (rest !== null) parts.unshift(rest);
    }
    left -= rows;
  }
  return slice;
}

/**
 * A file with several runs can be stored run by run: how far it was read is stored with the last, and a run that is stored
 * already counts no second time. People are stored before their runs.
 */
function splitPart(part: ReadPart, rows: number): [first: ReadPart, rest: ReadPart | null] {
  const { changes } = part;
  const sightings = changes.sightings.splice(rows);
  const runs = [...changes.runs];
  const firstRuns: typeof runs = [];
  for (let left = rows - sightings.size; left > 0 && runs.length > 0;) {
    const run = runs.shift() as (typeof runs)[number];
    firstRuns.push(run);
    left -= run.rows.size;
  }
  if (runs.length === 0 && changes.sightings.size === 0)
    return [{ ...part, changes: { ...changes, sightings, runs: firstRuns } }, null];
  const { file: _, ...first } = part;
  return [
    { ...first, changes: { ...changes, sightings, runs: firstRuns } },
    { ...part, changes: { ...changes, runs } },
  ];
}
