import * as z from 'zod';
import { fileMarks, type FileMarks, type FilePort, PortFile } from 'game-files';
import { derivations } from '../../../store/repositories/logs/derivations.ts';
import { type LogFile, readTallies } from '../../../store/repositories/logs/log-files.ts';
import { readRosters } from '../../../store/repositories/logs/rosters.ts';
import { playerState } from '../../counting/player-tally.ts';
import { fileErrorCode } from '../../../files/errors.ts';
import { type LogFormat, maxLineBytes } from 'dayz-files';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import type { FollowContext } from './follow-context.ts';
import { headOf } from '../reading/read-rest.ts';
import type { CounterState } from '../reading/log-counter.ts';

/**
 * The state from which to continue in a file; null: read it from its start. Null if no run is open in it, or if its
 * run was counted in another time zone or by an earlier version. Exception: a file that was emptied while the game
 * was running has no header and can continue only from its checkpoint.
 */
export async function stateToGoOn(
  context: FollowContext,
  format: LogFormat,
  path: string,
  stored: LogFile,
): Promise<{ state: CounterState; marks: FileMarks } | null> {
  const marks = fileMarks.safeParse(stored.marks).data;
  const checkpoint = stored.checkpoint === null ? null : parseCheckpoint(format, stored.checkpoint);
  if (marks === undefined || (checkpoint === null && stored.checkpoint !== null)) return null;
  if (checkpoint === null && format.holds === 'runs') return null;
  if (checkpoint !== null && checkpoint.timezone !== context.timezone) return null;
  if (!isCurrent(format, stored) && !(await lacksItsHeader(context.port, format, path))) return null;
  const state = await readState(context, stored, checkpoint);
  return state && { state, marks };
}

/** Whether a file that is not continued has to be read again: it was not finished, or an earlier version counted it. */
export function isIncomplete(format: LogFormat, stored: LogFile): boolean {
  return stored.checkpoint !== null || hasNoStart(stored) || !isCurrent(format, stored);
}

/**
 * Whether a file continued no log when it was found. It stays so: what was finished since then may only seem to be its
 * start.
 */
export function hasNoStart({ missing }: Pick<LogFile, 'missing'>): boolean {
  return missing.some(({ bytes }) => bytes !== null);
}

/** Whether the current version counted the file. */
function isCurrent(format: LogFormat, { versions }: LogFile): boolean {
  return format.holds === 'identities' || versions.counts === derivations.counts;
}

async function lacksItsHeader(port: FilePort, { recovery }: LogFormat, path: string): Promise<boolean> {
  const file = await PortFile.open(port, path, [{ offset: 0, length: maxLineBytes }]).catch(
    (error: unknown) => {
      if (fileErrorCode(error) === 'ENOENT') return null;
      throw error;
    },
  );
  return file === null || recovery?.startsWith(...(await headOf(file))) === 'line';
}

/** Null if the stored state cannot be used by this version. */
async function readState(
  { db, serverId }: FollowContext,
  { path, lines, unreadLines, unreadKinds, lastEventAt }: LogFile,
  checkpoint: Checkpoint | null,
): Promise<CounterState | null> {
  const { data: tallies } = storedTallies.safeParse(await readTallies(db, serverId, path));
  if (tallies === undefined) return null;
  const { state = null, countedUntil = null } = checkpoint ?? {};
  const roster = state && (await readRosters(db, [serverId])).get(serverId);
  return {
    lines,
    unreadLines,
    unreadKinds,
    lastEventAt,
    tallies,
    state,
    countedUntil,
    roster: roster && roster.header === state?.header ? roster : null,
  };
}

const storedTallies = z.array(z.tuple([z.string(), playerState]));
