import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import {
  closedError,
  FileError,
  type FileParts,
  type FileAccess,
  type FileRange,
  type FileStat,
  remoteError,
  type RemoteFiles,
} from '../file-access.ts';
import { fileToken, gameServer, listing, type NitradoEntry, settings } from './answers.ts';
import { NitradoApi, type NitradoApiOptions } from './api.ts';
import { NitradoState, type ServerState } from './nitrado-state.ts';
import { isPlainName } from '../remote/plain-name.ts';
import { readRanges } from '../remote/read-ranges.ts';

/** The path under which the names that are banned in the game server's settings are read like a file. */
export const banNamesPath = 'nitrado:settings.general.bans';

interface NitradoFilesOptions extends NitradoApiOptions {
  /** For so long a listing holds for whatever is asked of its folder. */
  listingMs?: number;
}

/** Each request counts against the limit. */
const stepBytes = 4 * 1024 * 1024;
/** A log grows by less between its listing and its download. */
const grownBytes = 1024 * 1024;

/**
 * The files of one game server at Nitrado, read-only, by its API. Paths are absolute or below the game's own folder
 * (`config` is where consoles keep their logs). A listing of the parent folder gives a file's state, so that the files of
 * a folder share one request; bytes are read from an offset.
 */
export class NitradoFiles implements RemoteFiles {
  readonly #api: NitradoApi;
  readonly #options: NitradoFilesOptions;
  /** The listings of folders and the banned names, by path. */
  readonly #kept = new Map<string, { until: number; answer: Promise<unknown> }>();
  /** As the budget counts them. */
  readonly #sources = new Set<string>();
  #gamePath: Promise<string> | null = null;
  #state: NitradoState | null = null;
  #isClosed = false;

  constructor(options: NitradoFilesOptions) {
    this.#options = options;
    this.#api = new NitradoApi(options);
  }

  of(source: string): FileAccess {
    const { budget, serviceId } = this.#options;
    const name = `${serviceId} ${source}`;
    // A poll that began before the place was closed must not count for good.
    if (!this.#isClosed) {
      this.#sources.add(name);
      budget.add(name);
    }
    return {
      get pollEveryMs() {
        return budget.pollEveryMs;
      },
      stepBytes,
      path: posix,
      list: async (folder, { matching }) => {
        const entries = await this.#folder(await this.#resolve(folder));
        return entries
          .filter((entry) => isPlainName(entry.name) && matching.test(entry.name))
          .map((entry) => ({ name: entry.name, stat: statOf(entry) }));
      },
      stat: async (path) =>
        path === banNamesPath ? bansStat(await this.#banNames()) : await this.#stat(path),
      read: async (path, ranges) =>
        path === banNamesPath ? partsOf(await this.#banNames(), ranges) : await this.#read(path, ranges),
    };
  }

  /** How the game server is, as Nitrado says; null: it answers queries itself. @throws FileError */
  async state(): Promise<ServerState | null> {
    if (this.#isClosed) throw closedError();
    this.#state ??= new NitradoState(this.#api, this.#options);
    return await this.#state.read();
  }

  /** Shows whether the token may access the game server. @throws FileError */
  async login(): Promise<void> {
    await this.#resolve('.');
  }

  /** Its API reads from an offset. */
  async resumeProblem(): Promise<null> {
    return null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const source of this.#sources) this.#options.budget.remove(source);
    this.#state?.close();
    this.#api.close();
  }

  async #resolve(path: string): Promise<string> {
    const gamePath = (this.#gamePath ??= this.#findGamePath());
    try {
      return posix.resolve(await gamePath, path);
    } catch (error) {
      this.#gamePath = null;
      throw error;
    }
  }

  async #findGamePath(): Promise<string> {
    try {
      const { gameserver } = await this.#api.get('', [], gameServer);
      return gameserver.game_specific.path;
    } catch (error) {
      if (!mayBeThePath(error)) throw error;
      throw remoteError(
        `Nitrado knows no game server ${this.#options.serviceId}: ${error.message}`,
        'compare serviceId with the number in the address of the server in the web interface',
      );
    }
  }

  /** What lies in a folder. */
  async #folder(folder: string): Promise<NitradoEntry[]> {
    let entries: NitradoEntry[] = [];
    try {
      entries = await this.#list(folder);
      if (entries.length > 0 || folder === '/') return entries;
    } catch (error) {
      if (!mayBeThePath(error)) throw error;
      const entry = await this.#entry(folder, error.message);
      if (entry.type === 'file') throw notAFolder(error.message);
      throw error;
    }
    // What is not there, or is a file, can look like an empty folder.
    if ((await this.#entry(folder, null)).type === 'file') throw notAFolder(null);
    return entries;
  }

  async #list(folder: string): Promise<NitradoEntry[]> {
    return await this.#keep(folder, async () => {
      return (await this.#api.get('/file_server/list', [['dir', folder]], listing)).entries;
    });
  }

  /** Asks only where the latest answer does not hold any more, or was an error. */
  async #keep<T>(path: string, ask: () => Promise<T>): Promise<T> {
    const now = this.#options.clock.monotonic();
    const known = this.#kept.get(path);
    if (known !== undefined && now < known.until) return (await known.answer) as T;
    for (const [other, { until }] of this.#kept) if (now >= until) this.#kept.delete(other);
    const answer = ask();
    this.#kept.set(path, { until: now + (this.#options.listingMs ?? defaultListingMs), answer });
    try {
      return await answer;
    } catch (error) {
      this.#kept.delete(path);
      throw error;
    }
  }

  /** @param answer what Nitrado said when it was asked for the file or folder itself */
  async #entry(path: string, answer: string | null): Promise<NitradoEntry> {
    const name = posix.basename(path);
    let entries: NitradoEntry[] = [];
    let said = answer;
    try {
      entries = await this.#list(posix.dirname(path));
    } catch (error) {
      if (!mayBeThePath(error)) throw error;
      said = error.message;
    }
    const entry = entries.find((one) => one.name === name);
    if (entry !== undefined) return entry;
    // The game folder has another path after a move to other hardware, or another game: it is asked for again.
    if (entries.length === 0) this.#gamePath = null;
    throw new FileError({ code: 'ENOENT', message: 'no such file', remedy: pathRemedy(said) });
  }

  async #stat(path: string): Promise<FileStat> {
    const entry = await this.#entry(await this.#resolve(path), null);
    if (entry.type === 'dir') throw new FileError({ code: 'EISDIR', message: 'is a folder' });
    const stat = entry.type === 'file' ? statOf(entry) : null;
    if (stat !== null) return stat;
    throw new FileError({ code: 'ENOTFILE', message: 'is not a regular file' });
  }

  async #read(path: string, ranges: readonly FileRange[]): Promise<FileParts> {
    const stat = await this.#stat(path);
    const at = await this.#resolve(path);
    const parts = await readRanges(ranges, stat.size, (range) => this.#fetch(at, stat.size, range));
    return { stat, parts };
  }

  async #fetch(path: string, size: number, { offset, length }: FileRange): Promise<Buffer> {
    const isWhole = offset === 0 && length === size;
    const range = [
      ['offset', String(offset)],
      ['length', String(length)],
      ['mode', 'raw'],
    ] as const;
    const { token } = await this.#api.get(
      isWhole ? '/file_server/download' : '/file_server/seek',
      [['file', path], ...(isWhole ? [] : range)],
      fileToken,
    );
    // Some servers answer with the whole file, whatever part is asked for. It may have grown since it was listed.
    const bytes = await this.#api.download(token, Math.max(length, Math.min(size, stepBytes)) + grownBytes);
    if (bytes.length === length) return bytes;
    if (bytes.length > length && bytes.length >= size) return bytes.subarray(offset, offset + length);
    // It was cut or replaced meanwhile, or the connection was.
    this.#kept.delete(posix.dirname(path));
    throw new FileError({
      code: 'EIO',
      message: `${bytes.length} bytes came where Nitrado had promised ${length}; it is read again`,
    });
  }

  async #banNames(): Promise<Buffer> {
    return await this.#keep(banNamesPath, async () => {
      const answer = await this.#api.get('/settings', [], settings);
      return Buffer.from(answer.settings.general.bans ?? '');
    });
  }
}

/** Within one poll; shorter than the pause between two. */
const defaultListingMs = 15_000;

/** A refusal that can be due to the path that was asked for. */
const mayBeThePath = (error: unknown): error is FileError =>
  error instanceof FileError && error.code === 'EIO';

function statOf({ type, size, modified_at: modifiedAt }: NitradoEntry): FileStat | null {
  if (type !== 'file' || typeof size !== 'number') return null;
  return { size, changedAt: typeof modifiedAt === 'number' ? modifiedAt * 1000 : null, identity: null };
}

const bansStat = (text: Buffer): FileStat => ({
  size: text.length,
  changedAt: null,
  identity: createHash('sha256').update(text).digest('base64url'),
});

function partsOf(bans: Buffer, ranges: readonly FileRange[]): FileParts {
  const parts = ranges.map(({ offset, length }) => bans.subarray(offset, offset + length));
  return { stat: bansStat(bans), parts };
}

/** @param answer what Nitrado said, in quotes */
function pathRemedy(answer: string | null): string {
  const words = answer === null ? '' : `${answer}; `;
  return (
    `${words}paths are below the game folder that the file browser of the web interface shows; ` +
    'the logs are in its folder "config"'
  );
}

function notAFolder(answer: string | null): FileError {
  return new FileError({ code: 'ENOTDIR', message: 'is a file, not a folder', remedy: pathRemedy(answer) });
}
