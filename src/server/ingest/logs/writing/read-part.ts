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
  /** The file's new state; left out: it is not stored. */
  file?: LogFile;
  /** How old the part's information is about who is on; left out: it has none. */
  rosterAge?: RosterAge;
  /** Called for each run after it was stored. */
  onStored?: (header: string, outcome: RunOutcome) => void;
}

/** How much there is to be stored: people, and players of runs. */
export const rowsOf = (parts: readonly ReadPart[]): number =>
  parts.reduce((sum, { changes: { sightings, runs } }) => sum + sightings.size + rowsOfRuns(runs), 0);

const rowsOfRuns = (runs: LogChanges['runs']): number => runs.reduce((sum, { rows }) => sum + rows.size, 0);

/**
 * A file with several runs is stored run by run where it has more than `most` rows: how far it was read is stored with the
 * last (and its gestures), and a run that is stored already counts no second time. What says who is on belongs to one run, and is not divided.
 */
export function partsOf(part: ReadPart, most: number): ReadPart[] {
  if (part.rosterAge !== undefined || rowsOf([part]) <= most) return [part];
  const { file: _, ...first } = part;
  const { changes } = part;
  const parts = changes.runs.slice(0, -1).map((run) => {
    // People are stored before their runs.
    const sightings = changes.sightings.splice(most);
    return { ...first, changes: { ...changes, sightings, runs: [run], gestures: [] } };
  });
  return [...parts, { ...part, changes: { ...changes, runs: changes.runs.slice(-1) } }];
}
