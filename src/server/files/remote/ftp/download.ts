import { type Client, FTPError } from 'basic-ftp';
import { within } from '../../../../process/time-limit.ts';
import type { FileRange, FileStat } from '../../file-port.ts';
import { LinkLost } from '../session.ts';

/**
 * If no more than this follows, it is received rather than closing the connection, after which some servers need a
 * moment.
 */
const slackBytes = 64 * 1024;
/** A reader asks for the latest bytes again, to see that they are still the same file's. */
const keptBytes = 1024;
/** Where the data connection has ended, a server says at once whether the transfer is complete. */
const lastAnswerMs = 5_000;

/**
 * The transfer of one file from an offset to its end. FTP has no command for a part of a file, so a file that is read
 * from start to end is read in one transfer, which waits while nobody asks for more.
 */
export class Download {
  readonly path: string;
  /** The file's state when the transfer began. */
  readonly stat: FileStat;
  readonly #client: Client;
  readonly #chunks: AsyncIterator<Buffer>;
  /** Settles with the server's last answer. */
  readonly #answer: Promise<void>;
  /** The offset up to which bytes were passed on, and the last of these. */
  #position: number;
  #kept: Buffer = Buffer.alloc(0);
  /** Received, and not passed on yet. */
  #rest: Buffer = Buffer.alloc(0);
  #isAtEnd = false;
  #failure: Error | null = null;
  /** Gives up what is being received: a lost control connection silences the other one. */
  #giveUp: (error: Error) => void = () => undefined;

  /** @throws FTPError when the server refuses, `LinkLost` when the connection is at fault */
  static async open(client: Client, path: string, stat: FileStat, offset: number): Promise<Download> {
    const { ftp } = client;
    await client.prepareTransfer(ftp);
    const data = ftp.dataSocket;
    if (data === undefined) throw new LinkLost('the data connection was cut');
    const chunks = data[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    try {
      if (offset > 0) await ftp.request(`REST ${offset}`);
      return new Download(client, { path, stat, offset, chunks, ...(await begin(client, path)) });
    } catch (error) {
      data.destroy();
      throw error;
    }
  }

  private constructor(client: Client, { path, stat, offset, chunks, answer }: Begun) {
    this.#client = client;
    this.path = path;
    this.stat = stat;
    this.#position = offset;
    this.#chunks = chunks;
    this.#answer = answer;
    answer.catch((error: Error) => {
      this.#failure = error;
      this.#giveUp(error);
    });
  }

  get position(): number {
    return this.#position;
  }

  /** Whether a range can be read from it, after at most `gapBytes` that nobody wants. */
  holds({ offset }: FileRange, gapBytes = slackBytes): boolean {
    return offset >= this.#position - this.#kept.length && offset <= this.#position + gapBytes;
  }

  /** Shorter than the range only where the transfer ended. @throws LinkLost */
  async read({ offset, length }: FileRange): Promise<Buffer> {
    const behind = Math.max(0, this.#position - offset);
    const known = this.#kept.subarray(this.#kept.length - behind).subarray(0, length);
    await this.#take(offset - this.#position, () => undefined);
    const chunks = [known];
    await this.#take(length - known.length, (chunk) => chunks.push(chunk));
    const bytes = Buffer.concat(chunks);
    this.#kept = Buffer.from(
      (behind > 0 ? Buffer.concat([this.#kept, bytes.subarray(known.length)]) : bytes).subarray(-keptBytes),
    );
    return bytes;
  }

  /** Ends the transfer, so that the connection can serve something else. @throws LinkLost */
  async end(): Promise<void> {
    let isCut = false;
    if (this.stat.size - this.#position <= slackBytes) await this.#take(2 * slackBytes, () => undefined);
    if (!this.#isAtEnd) {
      isCut = true;
      this.#client.ftp.dataSocket?.destroy();
    }
    try {
      if ((await within(this.#answer, lastAnswerMs)) === 'late')
        throw new Error('the server does not say whether the transfer is complete');
    } catch (error) {
      // Closing the connection makes the server report it as closed.
      if (isCut && error instanceof FTPError && error.code !== 421) return;
      throw new LinkLost((error as Error).message);
    }
  }

  async #take(length: number, onChunk: (chunk: Buffer) => void): Promise<void> {
    for (let left = length; left > 0;) {
      if (this.#rest.length === 0) await this.#receive();
      if (this.#isAtEnd) return;
      const chunk = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(chunk.length);
      this.#position += chunk.length;
      left -= chunk.length;
      onChunk(chunk);
    }
  }

  async #receive(): Promise<void> {
    if (this.#failure !== null) throw cut(this.#failure);
    const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      this.#giveUp = reject;
      this.#chunks.next().then(resolve, reject);
    }).catch((error: Error) => {
      throw cut(error);
    });
    this.#isAtEnd = next.done === true;
    if (next.done !== true) this.#rest = next.value;
  }
}

const cut = ({ message }: Error): LinkLost => new LinkLost(`the data connection was cut: ${message}`);

interface Begun {
  path: string;
  stat: FileStat;
  offset: number;
  chunks: AsyncIterator<Buffer>;
  answer: Promise<void>;
}

/** Resolves when the server begins to send. */
async function begin({ ftp }: Client, path: string): Promise<Pick<Begun, 'answer'>> {
  return await new Promise((resolve, reject) => {
    const answer = ftp.handle(`RETR ${path}`, (reply, task) => {
      if (reply instanceof Error) {
        reject(reply);
        task.reject(reply);
        return;
      }
      // It says nothing more until the transfer ends.
      ftp.socket.setTimeout(0);
      resolve({ answer });
      if (reply.code >= 200) task.resolve(undefined);
    }) as Promise<void>;
    answer.catch(() => undefined);
  });
}
