import { derivations } from '../../store/derivations.ts';
import { type LogFile, readTalliedNames, readTallies } from '../../store/log-files.ts';
import { playerState } from '../counting/tally.ts';
import { fileErrorCode } from '../errors.ts';
import { maxLineBytes } from '../files/blocks.ts';
import { type FileMarks, fileMarks } from '../files/file-marks.ts';
import type { FilePort } from '../files/file-port.ts';
import { PortFile } from '../files/port-file.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import type { FollowContext } from './follow-context.ts';
import type { LogFormat } from './log-format.ts';
import type { ReadingState } from './log-reading.ts';

/**
 * Where a file is read on; null: from its start. That is when no run is open in it, and when what is known of its run was
 * counted in another time zone or by an earlier version; but one that was emptied under the running game, and so has no
 * header, has only its checkpoint to go on from.
 */
export async function stateToGoOn(
  context: FollowContext,
  format: LogFormat,
  path: string,
  stored: LogFile,
): Promise<{ state: ReadingState; marks: FileMarks } | null> {
  const marks = fileMarks.safeParse(stored.marks).data;
  const checkpoint = stored.checkpoint === null ? null : parseCheckpoint(format, stored.checkpoint);
  if (marks === undefined || (checkpoint === null && stored.checkpoint !== null)) return null;
  if (checkpoint === null && format.holds === 'runs') return null;
  if (checkpoint !== null && checkpoint.timezone !== context.timezone) return null;
  if (!isCurrent(format, stored) && !(await lacksItsHeader(context.port, format, path))) return null;
  const state = await readState(context, stored, checkpoint);
  return state && { state, marks };
}

/** Whether figures of the file were counted as logs are counted now. */
export function isCurrent(format: LogFormat, { versions }: LogFile): boolean {
  return format.holds === 'identities' || versions.counts === derivations.counts;
}

async function lacksItsHeader(port: FilePort, { recovery }: LogFormat, path: string): Promise<boolean> {
  const file = await PortFile.open(port, path, [{ offset: 0, length: maxLineBytes }]).catch(
    (error: unknown) => {
      if (fileErrorCode(error) === 'ENOENT') return null;
      throw error;
    },
  );
  return file === null || recovery?.beginning(...(await headOf(file))) === 'line';
}

/** Null when the store holds something that this version cannot go on from. */
async function readState(
  { db, serverId, projectId }: FollowContext,
  stored: LogFile,
  checkpoint: Checkpoint | null,
): Promise<ReadingState | null> {
  const { path, lines, unreadLines, examples, lastEventAt } = stored;
  const tallies = await readTallies(db, serverId, path);
  const names = await readTalliedNames(db, { serverId, projectId, path });
  const states: ReadingState['tallies'][number][] = [];
  for (const [gameId, tally] of tallies) {
    const { data } = playerState.safeParse(tally);
    if (data === undefined) return null;
    states.push([gameId, data]);
  }
  return {
    lines,
    unreadLines,
    examples,
    lastEventAt,
    names,
    tallies: states,
    state: checkpoint?.state ?? null,
    countedUntil: checkpoint?.countedUntil ?? null,
  };
}

/** How a file begins, and whether that is all of it. */
export async function headOf(file: PortFile): Promise<[head: Buffer, isAll: boolean]> {
  const head = Buffer.alloc(maxLineBytes);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  return [head.subarray(0, bytesRead), bytesRead < head.length];
}
