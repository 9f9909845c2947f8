import { type FilePort, stampOf } from './file-port.ts';

/** A file's state: `unread` when it is to be read now, `moving` when it has changed since the last poll. */
export type FileState = { state: 'unread'; stamp: string } | { state: 'moving' | 'read' };

/**
 * Watches one small file that others replace or write over: it is to be read once it stood still from one poll to the
 * next, so that no half of it is taken for the whole.
 */
export class SettledFile {
  readonly #files: FilePort;
  readonly #path: string;
  #seen: string | null = null;
  #polls = 0;
  #read: string | null = null;

  constructor(files: FilePort, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /**
   * @param atOnce says whether it may be read before it was seen standing still: when nothing can be lost
   * @throws when the file cannot be accessed
   */
  async poll(atOnce: () => Promise<boolean>): Promise<FileState> {
    const stamp = stampOf(await this.#files.stat(this.#path));
    this.#polls = stamp === this.#seen ? this.#polls + 1 : 1;
    this.#seen = stamp;
    if (stamp === this.#read) return { state: 'read' };
    const isDue = this.#polls > 1 || (this.#read === null && (await atOnce()));
    return isDue ? { state: 'unread', stamp } : { state: 'moving' };
  }

  /** Notes that the file was read in the state of that poll. */
  done({ stamp }: { stamp: string }): void {
    this.#read = stamp;
  }
}
