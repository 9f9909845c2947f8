import { Server, type RequestListener, type ServerOptions, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * How many requests of one connection may be without a complete answer. The rest of its bytes wait unparsed. A caller
 * who sends ten at once is passed on whole: to pause and resume the socket costs as much as a fifth of a request.
 */
const mostOpen = 16;
/** How many requests of all connections together; beyond it, each connection may have one. */
const mostOpenOverall = 2_000;
/**
 * About how many waiting requests are passed on in a turn of the event loop. In each turn libuv accepts one connection, so
 * while many are busy, a long turn would keep new callers waiting for seconds.
 */
const requestsPerTurn = 16;
/** The most that a connection passes on in one go: 64 KB of chunks of one byte keep the parser busy for 40 ms. */
const mostBytesAtOnce = 8 * 1024;

/**
 * An HTTP server whose connections cannot make it parse more requests than it answers.
 *
 * Node parses whatever a read brings: 64 KB hold 1,700 short requests, each of which becomes objects of several
 * kilobytes before the first is answered, so that one caller with 200 connections can fill the heap. Pausing the socket
 * then is too late. Here Node gets a few requests at a time from a stream in front of each connection, which http.Server
 * allows ("any Duplex stream can be passed", event `connection`).
 */
export class PacedServer extends Server {
  readonly #pace = new Pace();

  constructor(options: ServerOptions, listener: RequestListener) {
    super(options);
    const serve: RequestListener = (request, response) => {
      if (request.socket instanceof PacedConnection) request.socket.opened(response);
      listener(request, response);
    };
    this.on('request', serve);
    // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
    this.on('checkExpectation', serve);
  }

  override emit(event: string, ...values: unknown[]): boolean {
    const [socket] = values;
    if (event !== 'connection' || !(socket instanceof Socket)) return super.emit(event, ...values);
    return super.emit(event, new PacedConnection(socket, this.#pace));
  }
}

/** Which connections continue, and when. They take turns, so that a busy one delays no other. */
class Pace {
  /** Requests of all connections without a complete answer. */
  open = 0;
  readonly #waiting = new Set<PacedConnection>();
  #isScheduled = false;

  /** How many more requests the connection may pass on. */
  room({ answers }: PacedConnection): number {
    if (this.open < mostOpenOverall) return mostOpen - answers.length;
    // Without the rest of its body, a request would never be answered.
    const isUnfinished = answers.length === 1 && answers[0]?.req.complete === false;
    return answers.length === 0 || isUnfinished ? 1 : 0;
  }

  continueLater(connection: PacedConnection): void {
    this.#waiting.add(connection);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#continue());
  }

  #continue(): void {
    this.#isScheduled = false;
    let left = requestsPerTurn;
    for (const connection of this.#waiting) {
      if (left <= 0) break;
      this.#waiting.delete(connection);
      left -= connection.pass();
    }
    if (this.#waiting.size > 0) this.#schedule();
  }
}

/**
 * A connection that passes on a few requests at a time. It has what `node:http` and the service use of a socket beyond a
 * stream.
 */
export class PacedConnection extends Duplex {
  readonly remoteAddress: string | undefined;
  /** The answers that are not complete, oldest first. */
  readonly answers: ServerResponse[] = [];
  readonly #socket: Socket;
  readonly #pace: Pace;
  /** Received and not passed on; the socket is paused. */
  #held: Buffer | null = null;
  #isWanted = false;

  constructor(socket: Socket, pace: Pace) {
    super({
      readableHighWaterMark: 0,
      writableHighWaterMark: socket.writableHighWaterMark,
      // The socket encodes texts, several in one go.
      decodeStrings: false,
    });
    this.#socket = socket;
    this.#pace = pace;
    this.remoteAddress = socket.remoteAddress;
    socket.on('data', (chunk: Buffer) => {
      this.#held = chunk;
      // A caller who sends no more than the pace admits waits for no turn.
      this.pass();
      if (this.#held !== null) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  opened(answer: ServerResponse): void {
    this.answers.push(answer);
    this.#pace.open += 1;
    answer.once('close', () => {
      const index = this.answers.indexOf(answer);
      // A destroyed connection has none.
      if (index === -1) return;
      this.answers.splice(index, 1);
      this.#pace.open -= 1;
      if (this.#held !== null) this.#pace.continueLater(this);
    });
  }

  /** Passes on what the pace admits. Returns how many requests it may be. */
  pass(): number {
    const held = this.#held;
    if (held === null || !this.#isWanted) return 0;
    const most = this.#pace.room(this);
    if (most === 0) return 0;
    const end = endOfHeads(held.subarray(0, mostBytesAtOnce), most);
    this.#held = end < held.length ? held.subarray(end) : null;
    this.#isWanted = this.push(this.#held === null ? held : held.subarray(0, end));
    if (this.#held !== null) this.#pace.continueLater(this);
    else if (this.#socket.isPaused()) this.#socket.resume();
    return most;
  }

  override _read(): void {
    this.#isWanted = true;
    if (this.#held !== null) this.#pace.continueLater(this);
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    if (this.#socket.write(chunk, encoding)) done();
    else this.#socket.once('drain', done);
  }

  /** The head and the body of an answer go out in one packet. */
  override _writev(chunks: { chunk: Buffer | string; encoding: BufferEncoding }[], done: () => void): void {
    this.#socket.cork();
    for (const { chunk, encoding } of chunks) this.#socket.write(chunk, encoding);
    this.#socket.uncork();
    if (this.#socket.writableNeedDrain) this.#socket.once('drain', done);
    else done();
  }

  /** Whether an answer is not complete, or not sent. */
  get isBusy(): boolean {
    return this.answers.length > 0 || this.writableLength > 0 || this.#socket.writableLength > 0;
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#pace.open -= this.answers.length;
    this.answers.length = 0;
    this.#held = null;
    this.#socket.destroy();
    done(error);
  }

  setTimeout(ms: number): this {
    this.#socket.setTimeout(ms);
    return this;
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }
}

/** The length of the bytes up to and including this many blank lines, which end the heads of requests; at most all. */
function endOfHeads(bytes: Buffer, heads: number): number {
  let left = heads;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
    const next = bytes[at + 1] === 13 ? at + 2 : at + 1;
    if (bytes[next] === 10 && (left -= 1) === 0) return next + 1;
  }
  return bytes.length;
}
