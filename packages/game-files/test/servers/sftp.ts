import { once } from 'node:events';
import * as fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import { posix } from 'node:path';
import ssh2, { type AuthContext, type Connection, type SFTPWrapper } from 'ssh2';

export interface SftpOptions {
  /** The folder on this machine that a client sees as `/`. */
  root: string;
  username?: string;
  password?: string;
  /** Whom the server lets in by a key, in OpenSSH's form of one line. */
  publicKey?: string;
  /** How the server shows itself; another one each time. */
  hostKey?: string;
  port?: number;
}

/** What becomes of the next requests to read. */
export type SftpFault = 'cut' | 'short' | 'silent';

/** A read-only SFTP server on this machine, spoken to by a real client. */
export interface SftpStandIn extends AsyncDisposable {
  port: number;
  hostKey: string;
  username: string;
  password: string;
  /** So many logins, and passwords that were sent. */
  logins: number;
  passwords: string[];
  /** The methods of the logins that were refused, without the question for those that there are. */
  refused: string[];
  /** Bytes of files that were sent. */
  bytesSent: number;
  /** Paths that were opened. */
  opened: string[];
  faults: SftpFault[];
  /** What the server adds to each time it tells, seconds; null: it tells none. */
  clockShift: number | null;
  /** What the server says of a file's type and rights; undefined: nothing. */
  modeOf: (mode: number) => number | undefined;
  /** Whether a listing has more than names. */
  listsAttributes: boolean;
  /** A name that the server lists again and again, without an end; null: it lists what is there. */
  endlessName: string | null;
  /** Cuts every connection, as a server does with idle ones. */
  cut(): void;
}

/** As OpenSSH's server answers. */
const namesAtOnce = 100;

// Node finds few names of that package by itself.
const { Server, utils } = ssh2;
const status = utils.sftp.STATUS_CODE;

/** A pair of keys in OpenSSH's form. One in some hundred that the library makes cannot be read. */
export function newKeys(passphrase?: string): { public: string; private: string } {
  for (;;) {
    const pair = utils.generateKeyPairSync(
      'ed25519',
      passphrase === undefined ? {} : { passphrase, cipher: 'aes256-ctr', rounds: 4 },
    );
    if (!(utils.parseKey(pair.private, passphrase) instanceof Error)) return pair;
  }
}

export async function startSftp(options: SftpOptions): Promise<SftpStandIn> {
  const {
    root,
    username = 'northwood',
    password = 'pw-71c',
    publicKey,
    hostKey = newKeys().private,
  } = options;
  const clients = new Set<Connection>();
  const server = new Server({ hostKeys: [hostKey] }, (client) => {
    clients.add(client);
    client.on('error', () => undefined);
    client.on('close', () => clients.delete(client));
    client.on('authentication', (context) => authenticate(context));
    client.on('ready', () => {
      // The types lack it.
      (client as Connection & { setNoDelay(on: boolean): void }).setNoDelay(true);
      standIn.logins += 1;
      client.on('session', (accept) => {
        accept().on('sftp', (open) => serve(open(), client));
      });
    });
  });

  function authenticate(context: AuthContext): void {
    if (context.method === 'password') standIn.passwords.push(context.password);
    const isKnown =
      context.username === username &&
      ((context.method === 'password' && context.password === password) ||
        (context.method === 'publickey' && publicKey !== undefined && isSigned(context, publicKey)));
    if (isKnown) return context.accept();
    if (context.method !== 'none') standIn.refused.push(context.method);
    const methods = ['password', 'keyboard-interactive'] as const;
    context.reject(publicKey === undefined ? [...methods] : ['publickey', ...methods]);
  }

  const local = (path: string): string => `${root}${posix.resolve('/', path)}`;

  function attributes(stats: fs.Stats) {
    const { mode, uid, gid, size, atimeMs, mtimeMs } = stats;
    const shift = standIn.clockShift;
    const times =
      shift === null
        ? { atime: 0, mtime: 0 }
        : { atime: Math.floor(atimeMs / 1000) + shift, mtime: Math.floor(mtimeMs / 1000) + shift };
    return { mode: standIn.modeOf(mode) as number, uid, gid, size, ...times };
  }

  function serve(sftp: SFTPWrapper, client: Connection): void {
    const handles = new Map<number, { descriptor: number } | { folder: string; left: string[] }>();
    let last = 0;
    const handleOf = (one: { descriptor: number } | { folder: string; left: string[] }): Buffer => {
      last += 1;
      handles.set(last, one);
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE(last);
      return handle;
    };
    const found = (handle: Buffer) => handles.get(handle.readUInt32BE());
    const answer = (id: number, work: () => void): void => {
      try {
        work();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const known = {
          ENOENT: status.NO_SUCH_FILE,
          ENOTDIR: status.NO_SUCH_FILE,
          EACCES: status.PERMISSION_DENIED,
        };
        sftp.status(id, known[code as keyof typeof known] ?? status.FAILURE);
      }
    };
    sftp.on('error', () => undefined);
    sftp.on('OPEN', (id, path) =>
      answer(id, () => {
        standIn.opened.push(path);
        sftp.handle(id, handleOf({ descriptor: fs.openSync(local(path), 'r') }));
      }),
    );
    sftp.on('READ', (id, handle, offset, length) =>
      answer(id, () => {
        const fault = standIn.faults.shift();
        if (fault === 'silent') return;
        if (fault === 'cut') return void client.end();
        const file = found(handle);
        if (file === undefined || !('descriptor' in file)) return sftp.status(id, status.FAILURE);
        const bytes = Buffer.alloc(Math.min(length, 256 * 1024));
        const count = fault === 'short' ? 0 : fs.readSync(file.descriptor, bytes, 0, bytes.length, offset);
        standIn.bytesSent += count;
        if (count === 0) sftp.status(id, status.EOF);
        else sftp.data(id, bytes.subarray(0, count));
      }),
    );
    sftp.on('FSTAT', (id, handle) =>
      answer(id, () => {
        const file = found(handle);
        if (file === undefined || !('descriptor' in file)) return sftp.status(id, status.FAILURE);
        sftp.attrs(id, attributes(fs.fstatSync(file.descriptor)));
      }),
    );
    sftp.on('CLOSE', (id, handle) =>
      answer(id, () => {
        const file = found(handle);
        if (file !== undefined && 'descriptor' in file) fs.closeSync(file.descriptor);
        handles.delete(handle.readUInt32BE());
        sftp.status(id, status.OK);
      }),
    );
    sftp.on('OPENDIR', (id, path) =>
      answer(id, () => {
        sftp.handle(id, handleOf({ folder: path, left: fs.readdirSync(local(path)) }));
      }),
    );
    sftp.on('READDIR', (id, handle) =>
      answer(id, () => {
        const folder = found(handle);
        const { endlessName } = standIn;
        if (endlessName !== null) {
          const attrs = {} as ReturnType<typeof attributes>;
          return sftp.name(id, [{ filename: endlessName, longname: '', attrs }]);
        }
        if (folder === undefined || 'descriptor' in folder || folder.left.length === 0) {
          return sftp.status(id, status.EOF);
        }
        const names = folder.left.splice(0, namesAtOnce).map((filename) => {
          const stats = fs.lstatSync(`${local(folder.folder)}/${filename}`);
          const attrs = standIn.listsAttributes ? attributes(stats) : {};
          return { filename, longname: filename, attrs: attrs as ReturnType<typeof attributes> };
        });
        sftp.name(id, names);
      }),
    );
    sftp.on('REALPATH', (id, path) =>
      answer(id, () => {
        const filename = fs.realpathSync(local(path)).slice(fs.realpathSync(root).length) || '/';
        sftp.name(id, [{ filename, longname: filename, attrs: {} as ReturnType<typeof attributes> }]);
      }),
    );
    sftp.on('STAT', (id, path) => answer(id, () => sftp.attrs(id, attributes(fs.statSync(local(path))))));
    sftp.on('LSTAT', (id, path) => answer(id, () => sftp.attrs(id, attributes(fs.lstatSync(local(path))))));
  }

  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const standIn: SftpStandIn = {
    port: (server.address() as AddressInfo).port,
    hostKey,
    username,
    password,
    logins: 0,
    passwords: [],
    refused: [],
    bytesSent: 0,
    opened: [],
    faults: [],
    clockShift: 0,
    modeOf: (mode) => mode,
    listsAttributes: true,
    endlessName: null,
    cut() {
      for (const client of clients) client.end();
    },
    async [Symbol.asyncDispose]() {
      standIn.cut();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
  return standIn;
}

function isSigned(context: AuthContext & { method: 'publickey' }, publicKey: string): boolean {
  const key = utils.parseKey(publicKey);
  if (key instanceof Error || Array.isArray(key)) return false;
  if (!context.key.data.equals(key.getPublicSSH())) return false;
  if (context.signature === undefined || context.blob === undefined) return true;
  return key.verify(context.blob, context.signature, context.hashAlgo);
}
