import { once } from 'node:events';
import * as fs from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { SelfSigned } from './certificate.ts';

export interface FtpOptions {
  /** The folder on this machine that a client sees as `/`. */
  root: string;
  username?: string;
  password?: string;
  /** With it clients may, and have to, ask for TLS. */
  certificate?: SelfSigned;
  /** What data connections show; default: the same. */
  dataCertificate?: SelfSigned;
  port?: number;
}

/** What becomes of the next transfers of files. */
export type FtpFault = 'cut' | 'short' | 'reset' | 'dropped' | 'forgotten' | 'silent';

/** An FTP server on this machine, as hosts run them: passive transfers, one command after the other. */
export interface FtpStandIn extends AsyncDisposable {
  port: number;
  username: string;
  password: string;
  logins: number;
  passwords: string[];
  /** Commands so far, without passwords. */
  commands: string[];
  /** All bytes of all connections so far, in both directions. */
  wireBytes: number;
  faults: FtpFault[];
  /** MLSD, with times in UTC; else LIST, whose times say nothing of their zone. */
  hasMlsd: boolean;
  /** Whether `LIST -a` lists hidden files as well, or nothing: `-a` is taken for the name of a folder. */
  hasFlags: boolean;
  hasTimes: boolean;
  hasSize: boolean;
  hasEpsv: boolean;
  /** Whether RETR may begin at an offset, or the code that refuses it. 451 comes at RETR, after 350 to REST. */
  rest: 'allowed' | 502 | 550 | 451;
  /** The address that PASV names. */
  passiveAddress: string;
  /** The port that PASV names; null: the one that listens. */
  passivePort: number | null;
  /** Whether another program has all files open, as Windows lets only one. */
  isBusy: boolean;
  /** Names that listings have besides, of files that are gone. */
  ghosts: readonly string[];
  /** A drive of Windows that stands before each path: PWD names it with backslashes. Null: none. */
  drive: string | null;
  /** How each user name is answered; null: with the question for a password. */
  userAnswer: string | null;
  /** More connections at a time are turned away. */
  mostConnections: number;
  turnedAway: number;
  cut(): void;
  /** Closes control connections as servers close idle ones. */
  cutIdle(): void;
}

export async function startFtp(options: FtpOptions): Promise<FtpStandIn> {
  const { root, username = 'northwood', password = 'pw-71c', certificate } = options;
  const sockets = new Set<Socket>();
  const listeners = new Set<Server>();
  const secureContext = certificate && createSecureContext(certificate);
  const dataContext = options.dataCertificate ? createSecureContext(options.dataCertificate) : secureContext;
  const local = (path: string): string => `${root}${path}`;

  let closedBytes = 0;
  const counted = new Set<Socket>();
  const count = (socket: Socket): void => {
    counted.add(socket);
    socket.once('close', () => {
      counted.delete(socket);
      closedBytes += socket.bytesRead + socket.bytesWritten;
    });
  };

  const server = createServer((socket) => {
    count(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    if (sockets.size > standIn.mostConnections) {
      standIn.turnedAway += 1;
      socket.end('421 Too many connections from this address.\r\n');
      socket.resume();
    } else new FtpConnection(socket).greet();
  });

  class FtpConnection {
    #socket: Socket;
    #isSecure = false;
    #isProtected = false;
    #isIn = false;
    #user = '';
    #folder = '/';
    #restart = 0;
    #data: Promise<Socket> | null = null;
    #turn: Promise<void> = Promise.resolve();

    constructor(socket: Socket) {
      this.#socket = socket;
      this.#listen(socket);
    }

    greet(): void {
      this.#say('220 ready');
    }

    #listen(socket: Socket): void {
      let rest = '';
      socket.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\r\n');
        rest = lines.pop() ?? '';
        for (const line of lines)
          this.#turn = this.#turn.then(async () => await this.#obey(line)).catch(() => undefined);
      });
    }

    #say(answer: string): void {
      if (this.#socket.writable) this.#socket.write(`${answer}\r\n`);
    }

    async #obey(line: string): Promise<void> {
      const [, name = '', argument = ''] = /^(\w+) ?(.*)$/s.exec(line) ?? [];
      const command = name.toUpperCase();
      standIn.commands.push(command === 'PASS' ? 'PASS' : line);
      const { drive } = standIn;
      if (
        drive !== null &&
        /^([a-z]:|\/)/i.test(argument) &&
        !argument.toUpperCase().startsWith(`${drive}/`)
      ) {
        this.#say('550 The system cannot find the path specified.');
        return;
      }
      const path = posix.resolve(this.#folder, drive === null ? argument : argument.replace(/^[a-z]:/i, ''));
      try {
        await this.#answer(command, argument, path);
      } catch (error) {
        this.#say(`550 ${(error as Error).message.split(',')[0]}`);
      }
    }

    async #answer(command: string, argument: string, path: string): Promise<void> {
      if (command === 'AUTH' && secureContext !== undefined) {
        this.#say('234 go on');
        this.#socket.removeAllListeners('data');
        this.#socket = new TLSSocket(this.#socket, { isServer: true, secureContext });
        this.#socket.on('error', () => undefined);
        this.#isSecure = true;
        this.#listen(this.#socket);
        return;
      }
      if (command === 'USER') {
        if (standIn.userAnswer !== null) return this.#say(standIn.userAnswer);
        if (secureContext !== undefined && !this.#isSecure) return this.#say('530 TLS is required');
        this.#user = argument;
        return this.#say('331 and the password');
      }
      if (command === 'PASS') {
        standIn.passwords.push(argument);
        this.#isIn = this.#user === username && argument === password;
        standIn.logins += Number(this.#isIn);
        return this.#say(this.#isIn ? '230 in' : '530 Login incorrect.');
      }
      if (command === 'FEAT') return this.#features();
      if (command === 'OPTS' || command === 'STRU' || command === 'PBSZ') return this.#say('200 ok');
      if (!this.#isIn) return this.#say('530 Please login with USER and PASS.');
      switch (command) {
        case 'TYPE':
          return this.#say('200 ok');
        case 'PROT':
          this.#isProtected = argument === 'P';
          return this.#say('200 ok');
        case 'PWD':
          if (standIn.drive !== null)
            return this.#say(
              `257 "${standIn.drive}${this.#folder.replaceAll('/', '\\')}" is current directory.`,
            );
          return this.#say(`257 "${this.#folder}" is where you are`);
        case 'CWD':
          if (!fs.statSync(local(path)).isDirectory()) throw new Error('Failed to change directory.');
          this.#folder = path;
          return this.#say('250 ok');
        case 'SIZE': {
          if (!standIn.hasSize) return this.#say('500 SIZE not understood');
          const stats = fs.statSync(local(path));
          if (!stats.isFile()) throw new Error('Could not get file size.');
          return this.#say(`213 ${stats.size}`);
        }
        case 'MDTM':
          if (!standIn.hasTimes) return this.#say('502 no');
          return this.#say(`213 ${stampOf(fs.statSync(local(path)).mtime)}`);
        case 'EPSV':
          if (!standIn.hasEpsv) return this.#say('500 no');
          return await this.#openData((port) => `229 passive (|||${port}|)`);
        case 'PASV': {
          const address = standIn.passiveAddress.replaceAll('.', ',');
          return await this.#openData((port) => `227 passive (${address},${port >> 8},${port & 255})`);
        }
        case 'REST':
          if (standIn.rest === 502) return this.#say('502 REST not implemented');
          if (standIn.rest === 550) return this.#say('550 No such file or directory.');
          this.#restart = Number(argument);
          return this.#say('350 from there');
        case 'RETR':
          return await this.#retrieve(path);
        case 'MLSD':
        case 'LIST':
          if (command === 'MLSD' && !standIn.hasMlsd) return this.#say('500 no');
          if (argument === '-a' && !standIn.hasFlags) return await this.#send(Buffer.of(), 'list');
          return await this.#send(Buffer.from(this.#listing(command)), 'list');
        default:
          return this.#say('502 no');
      }
    }

    #features(): void {
      const features = [
        ...(standIn.hasMlsd ? [' MLST type*;size*;modify*;'] : []),
        ...(standIn.hasTimes ? [' MDTM'] : []),
        ...(standIn.rest === 'allowed' ? [' REST STREAM'] : []),
        ...(standIn.hasSize ? [' SIZE'] : []),
        ...(standIn.hasEpsv ? [' EPSV'] : []),
      ];
      this.#say(['211-features', ...features, '211 end'].join('\r\n'));
    }

    #listing(command: string): string {
      const entry = (name: string, size: number, mtime: Date, isFolder: boolean): string => {
        if (command === 'LIST') {
          return `${isFolder ? 'd' : '-'}rw-r--r--    1 ftp      ftp      ${size} Jan 02 03:04 ${name}\r\n`;
        }
        const time = standIn.hasTimes ? `modify=${stampOf(mtime)};` : '';
        return `type=${isFolder ? 'dir' : 'file'};size=${size};${time} ${name}\r\n`;
      };
      const there = fs.readdirSync(local(this.#folder)).map((name) => {
        const { size, mtime, mode } = fs.statSync(local(posix.join(this.#folder, name)));
        return entry(name, size, mtime, (mode & 0o40000) !== 0);
      });
      return [...there, ...standIn.ghosts.map((name) => entry(name, 9, new Date(0), false))].join('');
    }

    async #openData(answer: (port: number) => string): Promise<void> {
      const listener = createServer();
      listeners.add(listener);
      this.#data = once(listener, 'connection').then(([socket]: Socket[]) => {
        listener.close();
        listeners.delete(listener);
        count(socket as Socket);
        (socket as Socket).on('error', () => undefined);
        return socket as Socket;
      });
      listener.listen(0, '127.0.0.1');
      await once(listener, 'listening');
      this.#say(answer(standIn.passivePort ?? (listener.address() as AddressInfo).port));
    }

    async #retrieve(path: string): Promise<void> {
      const stats = fs.statSync(local(path));
      if (!stats.isFile()) throw new Error('Failed to open file.');
      // As IIS words it.
      if (standIn.isBusy)
        throw new Error('The process cannot access the file because it is being used by another process.');
      const from = this.#restart;
      this.#restart = 0;
      if (from > 0 && standIn.rest === 451) return this.#say('451 Restart not permitted, try again');
      await this.#send(fs.readFileSync(local(path)).subarray(from), 'file');
    }

    async #send(bytes: Buffer, what: 'file' | 'list'): Promise<void> {
      const raw = await this.#data;
      this.#data = null;
      if (raw === null) return this.#say('425 Use PASV first.');
      this.#say('150 here it comes');
      const data =
        this.#isProtected && dataContext !== undefined
          ? new TLSSocket(raw, { isServer: true, secureContext: dataContext })
          : raw;
      data.on('error', () => undefined);
      const fault = what === 'file' ? standIn.faults.shift() : undefined;
      if (fault === 'silent') return;
      if (fault === 'reset') raw.resetAndDestroy();
      if (fault === 'cut') {
        data.write(bytes.subarray(0, bytes.length / 2));
        this.#socket.destroy();
        return void data.destroy();
      }
      if (fault === 'dropped' || fault === 'forgotten') {
        // Without a close of TLS, as a firewall or a process that dies does it.
        data.write(bytes.subarray(0, bytes.length / 2), () => raw.destroy());
        await once(raw, 'close');
        return fault === 'dropped' ? this.#say('426 Connection closed; transfer aborted.') : undefined;
      }
      const sent = fault === 'short' ? bytes.subarray(0, bytes.length / 2) : bytes;
      const closed = once(data, 'close');
      // Reads the end of what the client says, which is nothing.
      data.resume();
      // In pieces, because a client may stop to read. With TLS the pipeline never ends if the client leaves.
      const isSent = await Promise.race([
        pipeline(piecesOf(sent), data).then(
          () => true,
          () => false,
        ),
        closed.then(() => false),
      ]);
      await closed;
      this.#say(isSent ? '226 done' : '426 Failure writing network stream.');
    }
  }

  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const standIn: FtpStandIn = {
    port: (server.address() as AddressInfo).port,
    username,
    password,
    logins: 0,
    passwords: [],
    commands: [],
    get wireBytes() {
      return [...counted].reduce(
        (sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten,
        closedBytes,
      );
    },
    faults: [],
    hasMlsd: true,
    hasFlags: true,
    hasTimes: true,
    hasSize: true,
    hasEpsv: true,
    rest: 'allowed',
    passiveAddress: '127.0.0.1',
    passivePort: null,
    isBusy: false,
    ghosts: [],
    drive: null,
    userAnswer: null,
    mostConnections: Infinity,
    turnedAway: 0,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    cutIdle() {
      for (const socket of sockets) socket.end('421 Idle for too long.\r\n');
    },
    async [Symbol.asyncDispose]() {
      standIn.cut();
      for (const listener of listeners) listener.close();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
  return standIn;
}

const stampOf = (time: Date): string => time.toISOString().replace(/[-:T]/g, '').slice(0, 14);

const pieceBytes = 64 * 1024;

/** At least one: with TLS an end without it would come before the handshake. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  let at = 0;
  do {
    yield bytes.subarray(at, at + pieceBytes);
    at += pieceBytes;
  } while (at < bytes.length);
}
