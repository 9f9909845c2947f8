import { contentStamp } from './file-stamp.ts';
import type { FileAccess } from '../file-access.ts';

/** A file's state: `unread` if it should be read now, `moving` if it has changed since the last poll. */
type FileState = { state: 'unread'; stamp: string } | { state: 'moving' | 'read' };

/**
 * Polls one small file that other programs replace or overwrite, and says when its caller should read it: after two
 * polls in a row found it unchanged, so that a partly written file is not read.
 */
export class SettledFile {
  readonly #files: FileAccess;
  readonly #path: string;
  #seenStamp: string | null = null;
  #unchangedPolls = 0;
  #readStamp: string | null = null;

  constructor(files: FileAccess, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /**
   * @param skipsWait whether the file may be read at its first poll, since nothing is stored that it could replace
   * @throws when the file cannot be accessed
   */
  async poll(skipsWait: () => Promise<boolean>): Promise<FileState> {
    const stamp = await contentStamp(this.#files, this.#path);
    this.#unchangedPolls = stamp === this.#seenStamp ? this.#unchangedPolls + 1 : 1;
    this.#seenStamp = stamp;
    if (stamp === this.#readStamp) return { state: 'read' };
    const isDue = this.#unchangedPolls > 1 || (this.#readStamp === null && (await skipsWait()));
    return isDue ? { state: 'unread', stamp } : { state: 'moving' };
  }

  /** To be called after the file was read in the state of that poll. */
  done({ stamp }: { stamp: string }): void {
    this.#readStamp = stamp;
  }
}
