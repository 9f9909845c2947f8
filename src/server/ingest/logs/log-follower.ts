import { basename } from 'node:path';
import type { Database } from '../../store/database.ts';
import { findGamePlayers, type FollowedOutcome, saveFollowedRun } from '../../store/followed-runs.ts';
import { derivations } from '../../store/derivations.ts';
import { type LogFile, readTalliedNames, readTallies, saveLogFile } from '../../store/log-files.ts';
import { type PersonSeen, savePeople } from '../../store/players.ts';
import { requireTimeZone } from '../../store/server-time-zone.ts';
import { refreshStatistics } from '../../store/statistics.ts';
import { beginningOf, canBegin, type Beginning } from './beginning.ts';
import { maxLineBytes, readBlocks, readBytes } from '../files/blocks.ts';
import { fileErrorCode, SourceError } from '../errors.ts';
import { type FileMarks, hasMarks, markRanges, readMarks } from '../files/file-marks.ts';
import type { FilePort, FileStat } from '../files/file-port.ts';
import { PortFile } from '../files/port-file.ts';
import type { IdentityCheckpoint } from '../../games/dayz/identity-log.ts';
import type { ClockState, LocalZone } from './local-clock.ts';
import { isIdentityLog } from './log-files.ts';
import type { ReadProgress } from './read-progress.ts';
import {
  type AdminLogCheckpoint,
  AdminLogReading,
  type FollowedRun,
  IdentityLogReading,
  type LogNews,
  type LogReading,
  type ReadingState,
} from './log-reading.ts';
import { identityOfGameId } from '../counting/sightings.ts';
import type { PlayerState } from '../counting/tally.ts';

type Checkpoint = AdminLogCheckpoint | NonNullable<IdentityCheckpoint>;

/** `timezone`: in which the checkpoint's moments were computed. */
export type StoredLogFile = LogFile<Checkpoint & { timezone: string }, FileMarks>;

export interface FollowContext {
  db: Database;
  files: FilePort;
  serverId: string;
  projectId: string;
  timezone: string;
  zone: LocalZone;
  now: () => number;
  monotonic: () => number;
  onProgress: (progress: ReadProgress) => void;
}

/** What a look at a followed file has brought. */
export interface FollowedNews {
  lines: number;
  unreadLines: number;
  /** What became of each run, by its header. */
  runs: Map<string, FollowedOutcome>;
  /** What happened to the file that its owner may want to know. */
  remarks: string[];
}

/** So much is read between two transactions. Their length, for which another writer waits, is up to the players in it. */
const commitBytes = 4 * 1024 * 1024;
/** Sessions that go on are counted up to the last moment seen so often, and whenever the log stands still. */
const countEveryMs = 30_000;

/**
 * Follows one file of a server's logs from where it was left. What a part of the file says and how far it was read are
 * stored in one transaction, so that whatever ends the process, everything counts exactly once. After an error it is
 * of no more use: another one, made from the store, goes on.
 */
export class LogFollower {
  path: string;
  /** Looks in a row that found nothing new. */
  quietLooks = 0;
  /** It was read to its end; nothing more is expected of it. */
  isFinished = false;
  readonly #context: FollowContext;
  readonly #reading: LogReading<Checkpoint>;
  /** As it lies in the store; null: nothing was stored yet. */
  #stored: StoredLogFile | null;
  #marks: FileMarks | null;
  #position: number;
  #skipping: boolean;
  /** Bytes read that are not stored yet. */
  #unstored = 0;
  #restarted = false;
  /** Lines that were read of what the file held before it was emptied or replaced. */
  #formerLines = { lines: 0, unreadLines: 0 };
  /** Lines that were read up to the latest look. */
  #reported: { lines: number; unreadLines: number };
  /** Whether the file ends in a line that has not ended and is none of an admin log. */
  #foreignTail = false;
  /** The file's size and time at the last look. */
  #stamp: string;
  #countedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param stored the file as the store knows it; see `canGoOn`
   */
  static async open(
    context: FollowContext,
    path: string,
    stored: StoredLogFile | null,
  ): Promise<LogFollower> {
    const { db, serverId, projectId } = context;
    const tallies = stored === null ? [] : await readTallies<PlayerState>(db, serverId, path);
    const names = stored === null ? [] : await readTalliedNames(db, { serverId, projectId, path });
    const goesOn = stored !== null && (await canGoOn(context, path, stored));
    return new LogFollower(context, path, stored, goesOn, { tallies, names });
  }

  private constructor(
    context: FollowContext,
    path: string,
    stored: StoredLogFile | null,
    goesOn: boolean,
    run: Pick<ReadingState<never>, 'tallies' | 'names'>,
  ) {
    this.#context = context;
    this.path = path;
    this.#stored = stored;
    const left = goesOn ? stored : null;
    this.#position = left?.position ?? 0;
    this.#skipping = left?.skipping ?? false;
    this.#marks = left?.marks ?? null;
    const isToBeReadAgain = stored !== null && stored.checkpoint !== null && !goesOn;
    this.#stamp = isToBeReadAgain ? '' : (stored?.stamp ?? '');
    const state = left === null ? nothingRead : { ...left, ...run };
    this.#reading = isIdentityLog(path)
      ? new IdentityLogReading(context.zone, state)
      : new AdminLogReading(context.zone, {
          ...state,
          checkpoint: state.checkpoint as AdminLogCheckpoint | null,
        });
    this.#reported = { lines: state.lines, unreadLines: state.unreadLines };
  }

  /** The file as the store knows it now. */
  get stored(): StoredLogFile | null {
    return this.#stored;
  }

  /** Header of the run under way. */
  get header(): string | null {
    return this.#reading.header;
  }

  /** Whether what was read of the file is no log of a game server. */
  get isForeign(): boolean {
    return this.#reading.isForeign || this.#foreignTail;
  }

  /**
   * Reads and stores what has come since the last look.
   * @param stat the file's state
   * @param copies other files of the folder, of which one may be a copy that was made before this one was emptied
   * @throws whatever keeps the file from being read or the store from being written
   */
  async look(stat: FileStat, copies: readonly string[], signal?: AbortSignal): Promise<FollowedNews> {
    const news = noNews();
    const stamp = logStamp(stat);
    // A file that is no log is looked into each time: it may have been replaced by one of the same size.
    if (stamp === this.#stamp && !this.isForeign) {
      this.quietLooks += 1;
      if (this.#reading.isBehind) await this.#commit(news, null, stamp, true);
      return news;
    }
    const file = await this.#open(this.path);
    if (this.#marks !== null && !(await hasMarks(file, this.#marks))) {
      if (!(await this.#beginAnew(file, copies, news))) {
        if (this.#reading.isBehind) await this.#commit(news, null, stamp, true);
        return news;
      }
    }
    const unread = await this.#read(file, async () => {
      // Without the stamp: there is more to be read.
      if (this.#unstored >= commitBytes) await this.#commit(news, file, '', false);
      const name = basename(this.path);
      this.#context.onProgress({ name, bytesDone: this.#position, bytesTotal: stat.size });
      return signal?.aborted !== true;
    });
    this.quietLooks = unread ? this.quietLooks + 1 : 0;
    if (this.#unstored > 0 || this.#restarted) await this.#commit(news, file, stamp);
    if (signal?.aborted === true) return news;
    this.#stamp = stamp;
    return news;
  }

  /** Whether a file is this one under another name. */
  async isCopiedIn(path: string): Promise<boolean> {
    if (this.#marks === null) return false;
    const file = await PortFile.open(this.#context.files, path, markRanges(this.#marks.position));
    return await hasMarks(file, this.#marks);
  }

  /** How the file of this name begins by now: null when there is none, `same` when it is still the one that was read. */
  async beginning(): Promise<Beginning | { kind: 'same' } | null> {
    try {
      const file = await this.#open(this.path);
      if (this.#marks !== null && (await hasMarks(file, this.#marks))) return { kind: 'same' };
      return await beginningOf(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Goes on under another name. */
  rename(path: string): void {
    this.path = path;
    if (this.#stored !== null) this.#stored = { ...this.#stored, path };
    this.#stamp = '';
  }

  /** Reads the file's last line even though it has not ended, since none will come after it, and ends the run. */
  async finish(): Promise<FollowedNews> {
    const news = noNews();
    this.isFinished = true;
    const file = await this.#open(this.path);
    if (this.#marks === null || !(await hasMarks(file, this.#marks))) return news;
    await this.#read(file, async () => true, true);
    if (!isIdentityLog(this.path)) this.#reading.restart();
    await this.#commit(news, file, logStamp(file.stat), true);
    return news;
  }

  /** Opens a file with what a look needs: how it is known again, and what comes after that. */
  async #open(path: string): Promise<PortFile> {
    const position = this.#marks?.position ?? 0;
    const ranges = position === 0 ? [{ offset: 0, length: 0 }] : markRanges(position);
    const last = ranges.at(-1);
    if (last !== undefined) last.length += readBytes;
    return await PortFile.open(this.#context.files, path, ranges);
  }

  /**
   * Reads whole lines to the end of the file, as long as `more` wants.
   * @param toTheEnd whether to read a line that has not ended, too
   * @returns whether there was nothing to read
   */
  async #read(file: PortFile, more: () => Promise<boolean>, toTheEnd = false): Promise<boolean> {
    const from = this.#position;
    this.#foreignTail = false;
    for await (const block of readBlocks(file, { position: from, skipping: this.#skipping })) {
      if (block.unfinished && !toTheEnd) {
        this.#foreignTail =
          !isIdentityLog(this.path) && this.#reading.checkpoint() === null && !canBegin(block.bytes);
        break;
      }
      this.#reading.read(block);
      this.#unstored += block.bytes.length;
      this.#position = block.end;
      this.#skipping = !block.lines && block.bytes.at(-1) !== lineFeed;
      if (!(await more())) break;
    }
    return this.#position === from;
  }

  /**
   * The file is no longer the one that was read: it was emptied, cut or replaced.
   * @returns false as long as too little of it is there to tell how it goes on
   */
  async #beginAnew(file: PortFile, copies: readonly string[], news: FollowedNews): Promise<boolean> {
    const beginning = await beginningOf(file);
    const checkpoint = this.#reading.checkpoint();
    if (beginning.kind === 'too-short') return false;
    const goesOn = beginning.kind === 'line' && checkpoint !== null && follows(beginning.timeMs, checkpoint);
    if (goesOn && !isIdentityLog(this.path)) {
      // Emptied under the running game, which does not notice: the run goes on, after what a copy may still have.
      for (const copy of copies) if (await this.#readCopy(copy)) break;
      news.remarks.push('was emptied while the game writes it; its run goes on');
    } else {
      this.#reading.restart();
      news.remarks.push('was replaced; it is read from its beginning');
    }
    this.#formerLines = { lines: this.#reading.lines, unreadLines: this.#reading.unreadLines };
    this.#position = 0;
    this.#skipping = false;
    this.#marks = null;
    this.#restarted = true;
    return true;
  }

  async #readCopy(path: string): Promise<boolean> {
    if (path === this.path || !(await this.isCopiedIn(path))) return false;
    await this.#read(await this.#open(path), async () => true);
    return true;
  }

  async #commit(
    news: FollowedNews,
    source: PortFile | null,
    stamp: string,
    whole = this.#context.monotonic() - this.#countedAt >= countEveryMs,
  ): Promise<void> {
    if (whole) this.#countedAt = this.#context.monotonic();
    if (source !== null) {
      this.#marks = await readMarks(source, this.#position);
      if (this.#marks === null) throw new SourceError(this.path, 'was cut while it was read');
    }
    const { serverId, db, timezone } = this.#context;
    const taken = this.#reading.take(whole);
    const checkpoint = this.#reading.checkpoint();
    const file: StoredLogFile = {
      path: this.path,
      stamp,
      position: this.#position,
      skipping: this.#skipping,
      marks: this.#marks,
      lines: this.#reading.lines - this.#formerLines.lines,
      unreadLines: this.#reading.unreadLines - this.#formerLines.unreadLines,
      examples: this.#reading.examples,
      lastEventAt: this.#reading.lastEventAt,
      checkpoint: checkpoint && { ...checkpoint, timezone },
      versions: derivations,
    };
    await db.transaction().execute(async (tx) => {
      await requireTimeZone(tx, serverId, timezone);
      await this.#storeNews(tx, taken, news);
      await saveLogFile(tx, serverId, file, this.#stored, taken.tallies);
    });
    this.#unstored = 0;
    this.#restarted = false;
    news.lines += this.#reading.lines - this.#reported.lines;
    news.unreadLines += this.#reading.unreadLines - this.#reported.unreadLines;
    this.#reported = { lines: this.#reading.lines, unreadLines: this.#reading.unreadLines };
    this.#stored = file;
  }

  async #storeNews(tx: Database, { sightings, runs }: LogNews, news: FollowedNews): Promise<void> {
    const { projectId, serverId, now } = this.#context;
    const people = [...sightings.all];
    const { ids, merged } = await savePeople(
      tx,
      projectId,
      people.map(([, person]) => person),
      serverId,
    );
    const seen = people.map(([key], i) => [key, ids[i] as number] as const);
    const changed = new Set(merged);
    for (const run of runs) {
      const players = await this.#playersOf(tx, run, new Map(seen));
      const saved = await saveFollowedRun(
        tx,
        serverId,
        { ...run, fileName: basename(this.path), players },
        now(),
      );
      if (news.runs.get(run.header) !== 'new') news.runs.set(run.header, saved.outcome);
      for (const id of saved.changed) changed.add(id);
    }
    await refreshStatistics(tx, changed);
  }

  /** The rows of a run by player: of those seen just now, and of those seen before. */
  async #playersOf(tx: Database, { rows }: FollowedRun, known: Map<string, number>) {
    const { projectId } = this.#context;
    const others = [...rows.keys()].filter((id) => !known.has(id));
    for (const [gameId, id] of await findGamePlayers(tx, projectId, others)) known.set(gameId, id);
    const missing = others.filter((id) => !known.has(id));
    if (missing.length > 0) {
      const { ids } = await savePeople(tx, projectId, missing.map(unseen), this.#context.serverId);
      missing.forEach((gameId, i) => known.set(gameId, ids[i] as number));
    }
    return Array.from(rows, ([gameId, row]) => [known.get(gameId) as number, row] as const);
  }
}

/** By which a log that has not changed is passed over. */
export function logStamp({ size, changedAt }: FileStat): string {
  return `${size} ${changedAt}`;
}

const nothingRead = {
  lines: 0,
  unreadLines: 0,
  examples: [],
  lastEventAt: null,
  checkpoint: null,
  tallies: [],
  names: [],
};

const unseen = (gameId: string): PersonSeen => ({
  identity: identityOfGameId(gameId),
  names: [],
  firstSeenAt: null,
  lastSeenAt: null,
});

/**
 * Whether a file is read on where it was left. It is read from its beginning when no run is open in it, and when what
 * is known of its run was counted in another time zone or by an earlier version; but one that was emptied under the
 * running game, and so has no header, has only its checkpoint to go on from.
 */
async function canGoOn(context: FollowContext, path: string, stored: StoredLogFile): Promise<boolean> {
  const { marks, checkpoint, versions } = stored;
  if (marks === null) return false;
  if (checkpoint === null) return isIdentityLog(path);
  if (checkpoint.timezone !== context.timezone) return false;
  if (isIdentityLog(path) || versions.counts === derivations.counts) return true;
  const file = await PortFile.open(context.files, path, [{ offset: 0, length: maxLineBytes }]).catch(
    (error: unknown) => {
      if (fileErrorCode(error) === 'ENOENT') return null;
      throw error;
    },
  );
  return file === null || (await beginningOf(file)).kind === 'line';
}

function noNews(): FollowedNews {
  return { lines: 0, unreadLines: 0, runs: new Map(), remarks: [] };
}

/**
 * Whether a line of this time of day can come after what was read of a run; one that comes before was read already,
 * unless the game's threads jitter.
 */
function follows(timeMs: number, checkpoint: object): boolean {
  if (timeMs < 0 || !('clock' in checkpoint)) return false;
  const { clock } = checkpoint as { clock: ClockState };
  return (timeMs - clock.timeMs + jitterMs + dayMs) % dayMs < dayMs / 2;
}

/** Far less than a clock may jitter: what is left of a log that was cut at its beginning is not to count again. */
const jitterMs = 5_000;

const dayMs = 86_400_000;
const lineFeed = 0x0a;
