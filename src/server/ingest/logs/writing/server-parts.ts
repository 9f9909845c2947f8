import type { RunOutcome } from '../../../store/repositories/logs/run-copies.ts';
import { type SavedLogs, saveLogs, type ServerLogs } from '../../../store/repositories/logs/save-logs.ts';
import { Sightings } from '../../counting/sightings.ts';
import type { ReadPart } from './read-parts.ts';

/** Parts of a server's logs. */
export interface ServerParts extends Omit<ServerLogs, 'people' | 'runs' | 'rosters' | 'gestures' | 'files'> {
  parts: readonly ReadPart[];
  now: () => number;
  monotonic: () => number;
}

export interface StoredParts extends Omit<SavedLogs, 'outcomes'> {
  /** What became of each run. */
  outcomes: (readonly [part: ReadPart, header: string, outcome: RunOutcome])[];
}

/**
 * Stores parts of the logs of a project's servers in one transaction.
 * @returns for each server what was stored
 * @throws for all of them what is wrong with one
 */
export async function storeParts(
  projectId: string,
  servers: readonly [ServerParts, ...ServerParts[]],
): Promise<StoredParts[]> {
  const [first, ...others] = servers;
  const saved = await saveLogs(projectId, [logsOf(first), ...others.map(logsOf)], first);
  return saved.map(({ outcomes, ...rest }, i) => {
    const parts = servers[i]?.parts ?? [];
    const runs = parts.flatMap((part) => part.changes.runs.map(({ header }) => [part, header] as const));
    return { ...rest, outcomes: runs.map((run, at) => [...run, outcomes[at] as RunOutcome] as const) };
  });
}

function logsOf(server: ServerParts): ServerLogs {
  const { serverId, parts, now } = server;
  const sightings = new Sightings();
  for (const { changes } of parts) sightings.merge(changes.sightings.all);
  return {
    ...server,
    people: [...sightings.all],
    runs: parts.flatMap(({ changes, fileName, age = 'history' }) =>
      changes.runs.map((run) => ({ ...run, serverId, fileName, age })),
    ),
    rosters: parts.flatMap(({ changes: { roster }, rosterAge, age = 'history' }) =>
      roster === null || rosterAge === undefined ? [] : [{ serverId, change: roster, age, ...rosterAge }],
    ),
    gestures: parts.flatMap(({ changes: { gestures }, age }) =>
      gestures.map((made) => ({
        ...made,
        at: age === 'misdated' ? now() : made.at,
        cameAt: age === 'misdated' || age === 'fresh' ? now() : null,
      })),
    ),
    files: parts.flatMap(({ file, changes: { tallies } }) => (file ? [{ serverId, ...file, tallies }] : [])),
  };
}
