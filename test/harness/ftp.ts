import { once } from 'node:events';
import * as fs from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { posix } from 'node:path';
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
export type FtpFault = 'cut' | 'short' | 'reset' | 'silent';

/** An FTP server on this machine, as hosts run them: passive transfers, one command after the other. */
export interface FtpStandIn extends AsyncDisposable {
  port: number;
  username: string;
  password: string;
  logins: number;
  passwords: string[];
  /** Commands so far, without passwords. */
  commands: string[];
  bytesSent: number;
  faults: FtpFault[];
  /** MLSD, with times in UTC; else LIST, whose times say nothing of their zone. */
  hasMlsd: boolean;
  hasTimes: boolean;
  /** Whether RETR may begin at an offset. */
  hasRest: boolean;
  /** The address that PASV names. */
  passiveAddress: string;
  /** The port that PASV names; null: the one that listens. */
  passivePort: number | null;
  /** How each user name is answered; null: with the question for a password. */
  userAnswer: string | null;
  /** More connections at a time are turned away. */
  mostConnections: number;
  turnedAway: number;
  cut(): void;
}

export async function startFtp(options: FtpOptions): Promise<FtpStandIn> {
  const { root, username = 'northwood', password = 'pw-71c', certificate } = options;
  const sockets = new Set<Socket>();
  const listeners = new Set<Server>();
  const secureContext = certificate && createSecureContext(certificate);
  const dataContext = options.dataCertificate ? createSecureContext(options.dataCertificate) : secureContext;
  const local = (path: string): string => `${root}${path}`;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
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
      const path = posix.resolve(this.#folder, argument);
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
          return this.#say(`257 "${this.#folder}" is where you are`);
        case 'CWD':
          if (!fs.statSync(local(path)).isDirectory()) throw new Error('Failed to change directory.');
          this.#folder = path;
          return this.#say('250 ok');
        case 'SIZE': {
          const stats = fs.statSync(local(path));
          if (!stats.isFile()) throw new Error('Could not get file size.');
          return this.#say(`213 ${stats.size}`);
        }
        case 'MDTM':
          if (!standIn.hasTimes) return this.#say('502 no');
          return this.#say(`213 ${stampOf(fs.statSync(local(path)).mtime)}`);
        case 'EPSV':
          return this.#say('500 no');
        case 'PASV':
          return await this.#openData();
        case 'REST':
          if (!standIn.hasRest) return this.#say('502 no');
          this.#restart = Number(argument);
          return this.#say('350 from there');
        case 'RETR':
          return await this.#retrieve(path);
        case 'MLSD':
        case 'LIST':
          if (command === 'MLSD' && !standIn.hasMlsd) return this.#say('500 no');
          return await this.#send(Buffer.from(this.#listing(command)), 'list');
        default:
          return this.#say('502 no');
      }
    }

    #features(): void {
      const features = [
        ...(standIn.hasMlsd ? [' MLST type*;size*;modify*;'] : []),
        ...(standIn.hasTimes ? [' MDTM'] : []),
        ...(standIn.hasRest ? [' REST STREAM'] : []),
        ' SIZE',
      ];
      this.#say(['211-features', ...features, '211 end'].join('\r\n'));
    }

    #listing(command: string): string {
      return fs
        .readdirSync(local(this.#folder))
        .map((name) => {
          const { size, mtime, mode } = fs.statSync(local(posix.join(this.#folder, name)));
          const isFolder = (mode & 0o40000) !== 0;
          if (command === 'LIST') {
            return `${isFolder ? 'd' : '-'}rw-r--r--    1 ftp      ftp      ${size} Jan 02 03:04 ${name}\r\n`;
          }
          const time = standIn.hasTimes ? `modify=${stampOf(mtime)};` : '';
          return `type=${isFolder ? 'dir' : 'file'};size=${size};${time} ${name}\r\n`;
        })
        .join('');
    }

    async #openData(): Promise<void> {
      const listener = createServer();
      listeners.add(listener);
      this.#data = once(listener, 'connection').then(([socket]: Socket[]) => {
        listener.close();
        listeners.delete(listener);
        (socket as Socket).on('error', () => undefined);
        return socket as Socket;
      });
      listener.listen(0, '127.0.0.1');
      await once(listener, 'listening');
      const port = standIn.passivePort ?? (listener.address() as AddressInfo).port;
      const address = standIn.passiveAddress.replaceAll('.', ',');
      this.#say(`227 passive (${address},${port >> 8},${port & 255})`);
    }

    async #retrieve(path: string): Promise<void> {
      const stats = fs.statSync(local(path));
      if (!stats.isFile()) throw new Error('Failed to open file.');
      const from = this.#restart;
      this.#restart = 0;
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
      const sent = fault === 'short' ? bytes.subarray(0, bytes.length / 2) : bytes;
      const closed = once(data, 'close');
      let isCut = false;
      data.once('close', () => (isCut = !data.writableFinished));
      data.end(sent);
      // Reads the end of what the client says, which is nothing.
      data.resume();
      await closed;
      if (what === 'file') standIn.bytesSent += sent.length;
      this.#say(isCut ? '426 Failure writing network stream.' : '226 done');
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
    bytesSent: 0,
    faults: [],
    hasMlsd: true,
    hasTimes: true,
    hasRest: true,
    passiveAddress: '127.0.0.1',
    passivePort: null,
    userAnswer: null,
    mostConnections: Infinity,
    turnedAway: 0,
    cut() {
      for (const socket of sockets) socket.destroy();
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
