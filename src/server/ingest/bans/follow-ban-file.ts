import type { BanFile } from 'dayz-files';
import { type FileAccess, SettledFile } from 'game-files';
import type { Clock } from '../../../process/clock.ts';
import { count } from '../../../process/count.ts';
import { SourceError } from '../../files/errors.ts';
import type { Database } from '../../store/engine/database.ts';
import { projectOfBanList } from '../../store/repositories/bans/bans.ts';
import { countMissingBans, hasBansOfSource } from '../../store/repositories/bans/source-bans.ts';
import { type BanListFile, storedBanSource } from '../follower/sources.ts';
import type { PollResult } from '../poll-problems.ts';
import { type BanFileReport, storeBanFile } from './import.ts';
import { isNotCreatedYet, readBanFile } from './read-ban-file.ts';

/** An admin lifts one or two bans at a time; a file that loses more may be truncated. */
export const smallLoss = 2;
/** A larger loss takes effect after the file has been unchanged for this long. */
const largeLossMs = 5 * 60_000;
/** An emptied file takes effect after this time: a crash or a slow save empties a file first. */
const emptiedMs = 10_000;
/** While a loss is pending, the file is read again this often: an import of it may have lifted the bans meanwhile. */
const readAgainMs = 10_000;

/** Bans that are missing from the file and still in force. Times are of the monotonic clock. */
interface PendingLoss {
  missing: number;
  since: number;
  problem: string;
  /** When the file is read again, if it still has this stamp; a changed one is read at once. */
  readAgainAt: number;
  stamp: string;
}

/** For how long a file must lack so many bans before they are lifted. */
function waitUntilBelieved(missing: number, isEmptied: boolean): number {
  if (missing > smallLoss) return largeLossMs;
  return isEmptied && missing > 0 ? emptiedMs : 0;
}

/**
 * Reads one ban file into its list whenever it has changed. At a poll, the file is
 * - **absent**: an empty list if it had no bans and its folder exists, else an error;
 * - **unread**: it is read and stored, unless it lacks many bans: then all stay in force until this loss has lasted for a while;
 * - **read** already: it is not opened, and no problem is open any more (`{}`);
 * - **moving**, because it is being changed: it is not opened, and a problem that is open stays so (null).
 * @returns a function for each poll, which throws when the file cannot be read or is of another format; its bans stay in force
 */
export function followBanFile(
  source: BanListFile,
  { db, clock, files }: { db: Database; clock: Clock; files: FileAccess },
) {
  const { id, file, filesOf, format } = source;
  const { now, monotonic } = clock;
  const storedAs = storedBanSource(source);
  const settled = new SettledFile(files, file);
  let pendingLoss: PendingLoss | null = null;
  /** Whether the file does not exist yet, and was stored as an empty one. */
  let isAbsent = false;

  const hasBans = async (): Promise<boolean> => await hasBansOfSource(db, id, storedAs);
  const store = async (content: BanFile): Promise<{ report: BanFileReport }> => ({
    report: await storeBanFile(db, { listId: id, file, filesOf, format, content, origin: 'config', now }),
  });

  /** BattlEye creates its file with the first ban, so a file that has never existed is an empty list. */
  async function storeAbsent(cause: unknown): Promise<PollResult<BanFileReport>> {
    if (await hasBans()) {
      const problem =
        'no such file; its bans stay in force: put it back, or an empty one in its place to lift them all';
      throw new SourceError(file, problem, { cause });
    }
    if (!(await isNotCreatedYet(file, files))) {
      throw new SourceError(file, 'no such file, and no such folder: check the path', { cause });
    }
    if (isAbsent) return {};
    const stored = await store({ entries: [], ipBans: 0, unread: 0, blank: true });
    isAbsent = true;
    return stored;
  }

  /** The loss for which the file must still wait; null: what the file has is believed. */
  async function lossOf(
    { entries, blank }: BanFile,
    stamp: string,
    earlier: PendingLoss | null,
  ): Promise<PendingLoss | null> {
    const keys = new Set(entries.map(({ key }) => key));
    const { missing, inForce } = await countMissingBans(db, id, storedAs, keys, now());
    const waitMs = waitUntilBelieved(missing, blank);
    if (waitMs === 0) return null;
    const readAgainAt = monotonic() + readAgainMs;
    // If more or fewer bans are missing than before, the time starts again.
    if (earlier?.missing === missing) {
      const isBelieved = monotonic() - earlier.since >= waitMs;
      return isBelieved ? null : { ...earlier, stamp, readAgainAt };
    }
    const believedAt = new Date(now() + waitMs).toISOString().slice(11, 19);
    const wait = waitMs >= 60_000 ? count(waitMs / 60_000, 'minute') : count(waitMs / 1000, 'second');
    // A remote file cannot be imported by its path.
    const command = `outpost import bans --banlist ${id} --format ${format} "${file}"`;
    const wayToLift = filesOf === undefined ? ` To lift them now: ${command}.` : '';
    const problem =
      `${file}: missing from the file: ${missing} of ${inForce} bans. They stay in force until the file has ` +
      `stayed so for ${wait} (${believedAt} UTC).${wayToLift} If the file was damaged, put it back.`;
    return { missing, since: monotonic(), problem, readAgainAt, stamp };
  }

  return async (): Promise<PollResult<BanFileReport> | null> => {
    let polled;
    try {
      polled = await settled.poll(async () => !(await hasBans()));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      pendingLoss = null;
      return await storeAbsent(error);
    }
    isAbsent = false;
    if (polled.state !== 'unread') return polled.state === 'read' ? {} : null;
    const { stamp } = polled;
    const earlier = pendingLoss;
    if (earlier?.stamp === stamp && monotonic() < earlier.readAgainAt)
      return { problem: earlier.problem, keptBans: true };
    await projectOfBanList(db, id);
    pendingLoss = null;
    const content = await readBanFile(file, format, files);
    pendingLoss = await lossOf(content, stamp, earlier);
    if (pendingLoss !== null) return { problem: pendingLoss.problem, keptBans: true };
    const stored = await store(content);
    settled.done(polled);
    return stored;
  };
}
