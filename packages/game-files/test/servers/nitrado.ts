import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, posix } from 'node:path';

export interface NitradoOptions {
  /** The folder on this machine that stands for the game's own folder. */
  root: string;
  serviceId?: string;
  token?: string;
  /** Console servers have no FTP: their files lie below `noftp`. */
  gamePath?: string;
  requestsPerHour?: number;
  /** Where the game server answers, as the API names it. */
  address?: { ip: string; port: number; query_port: number };
  /** Whether files are shown as they were at the latest `handOver`, as the real one does every 10 to 20 minutes. */
  batches?: boolean;
}

/** What becomes of the next answer of the file server, or of the API. */
export type NitradoFault =
  | 'busy'
  | 'cut'
  | 'short'
  | 'silent'
  | 'wholeFile'
  | 'gone'
  | 'plainAddress'
  | 'elsewhere'
  | 'nonsense'
  | 'webPage'
  | 'webPageAsFile'
  | 'huge';

/**
 * Stands for Nitrado's API and its file server, as their clients know them: bearer token, limits an hour in headers, 429,
 * listings in which `modified_at` may be missing, addresses that serve a file once, seek by offset.
 */
export interface NitradoStandIn extends AsyncDisposable {
  url: string;
  serviceId: string;
  token: string;
  gamePath: string;
  /** Requests to the API so far, by path below the game server. */
  requests: string[];
  /** Bytes of files that were sent. */
  bytesSent: number;
  /** In the hour that goes on. */
  remaining: number;
  /** `data.settings.general.bans`: names joined by `\r\n`. */
  bans: string | null;
  /** False: listings say nothing of times. */
  hasTimes: boolean;
  /** How a folder that is not there, or a file in its place, is answered. */
  missing: 'refused' | 'empty';
  /** Whether the token may access the game server. */
  isAllowed: boolean;
  /** What is said of the game server besides its address: `status`, `slots`, `query`, `settings`. */
  gameServer: Record<string, unknown>;
  faults: NitradoFault[];
  /** Seconds that a `busy` answer asks to wait. */
  retryAfter: number;
  /** Listed besides the files. */
  oddEntries: unknown[];
  /** Shows the files as they are now. */
  handOver(): Promise<void>;
  /** A new hour begins. */
  beginHour(): void;
}

interface Shown {
  bytes: Buffer;
  /** Epoch seconds. */
  modifiedAt: number;
}

/** As an account's list has them: with other games and other products. */
function servicesOf(serviceId: string): unknown[] {
  const details = {
    address: '203.0.113.7:10000',
    portlist_short: 'dayzxb',
    folder_short: 'dayzxb',
    slots: 32,
  };
  const dayz = { type: 'gameserver', status: 'active', type_human: 'Publicserver 32 Slots' };
  return [
    { id: 1, type: 'webspace', details: {} },
    {
      id: 2,
      type: 'gameserver',
      details: { name: 'Ark', game: 'ARK: Survival Evolved', folder_short: 'arkse' },
    },
    {
      ...dayz,
      id: Number(serviceId),
      details: { ...details, name: 'Northwood Xbox', game: 'DayZ (Xbox One)' },
    },
    {
      ...dayz,
      id: 4,
      details: { ...details, name: 'Northwood PS', game: 'DayZ (PS4)', folder_short: 'dayzps' },
    },
    { id: 'nonsense' },
  ];
}

export async function startNitrado(options: NitradoOptions): Promise<NitradoStandIn> {
  const { root, serviceId = '1234567', token = 'tok-3kf9', requestsPerHour = 3_000 } = options;
  const { gamePath = '/games/ni4711_1/noftp/dayzxb/', batches = false } = options;
  let shown: Map<string, Shown | 'dir'> | null = null;
  /** Address → file and range; each serves once. */
  const addresses = new Map<string, { path: string; offset: number; length: number | null }>();

  const contents = async (): Promise<Map<string, Shown | 'dir'>> =>
    shown ?? (await scan(root, standIn.gamePath));

  async function files(query: URLSearchParams, kind: string): Promise<[number, unknown]> {
    const all = await contents();
    const path = query.get('dir') ?? query.get('file') ?? query.get('path') ?? '';
    const folder = path.replace(/(?<=.)\/$/, '');
    const at = all.get(folder);
    if (kind === 'list') {
      if (at !== 'dir' && !isAbove(folder, standIn.gamePath)) {
        if (standIn.missing === 'empty') return success({ entries: [] });
        return failure(500, 'Could not list the directory');
      }
      const inside = [...all].filter(([one]) => posix.dirname(one) === folder && one !== '/');
      return success({
        entries: [...inside.map(([one, file]) => entryOf(one, file)), ...standIn.oddEntries],
      });
    }
    if (kind === 'stat') {
      const asked = query.getAll('files[]').flatMap((one) => (all.has(one) ? [one] : []));
      return success({ entries: asked.map((one) => entryOf(one, all.get(one) as Shown)) });
    }
    if (at === undefined || at === 'dir') return failure(500, 'The file was not found');
    if (kind === 'size') return success({ size: at.bytes.length });
    const key = `f${addresses.size}-${requestsPerHour}`;
    const isSeek = kind === 'seek';
    addresses.set(key, {
      path: folder,
      offset: isSeek ? Number(query.get('offset')) : 0,
      length: isSeek ? Number(query.get('length')) : null,
    });
    const fault = takeFault('plainAddress') ?? takeFault('elsewhere');
    const address = fault === null ? `${standIn.url}/_files/` : foreignAddresses[fault];
    return success({ token: { url: address, token: key } });
  }

  function entryOf(path: string, file: Shown | 'dir') {
    const name = posix.basename(path);
    if (file === 'dir') return { type: 'dir', path, name, size: 4096, modified_at: 1_767_225_600 };
    const times = standIn.hasTimes ? { modified_at: file.modifiedAt, created_at: file.modifiedAt } : {};
    return {
      type: 'file',
      path,
      name,
      size: file.bytes.length,
      owner: 'ni4711_1',
      chmod: '100644',
      ...times,
    };
  }

  function takeFault<Fault extends NitradoFault>(fault: Fault): Fault | null {
    if (standIn.faults[0] !== fault) return null;
    standIn.faults.shift();
    return fault;
  }

  async function api(request: IncomingMessage, url: URL): Promise<[number, unknown]> {
    const below = /^\/services\/(\d+)\/gameservers(?<rest>\/.*)?$/.exec(url.pathname);
    standIn.requests.push(below?.groups?.['rest'] ?? '');
    if (request.headers.authorization !== `Bearer ${token}`) {
      return failure(401, 'The access token is not valid (anymore).');
    }
    if (standIn.remaining <= 0 || takeFault('busy') !== null) return failure(429, 'Rate limit exceeded');
    standIn.remaining -= 1;
    if (!standIn.isAllowed) return failure(403, 'Your token lacks the scope service');
    if (url.pathname === '/services') return success({ services: servicesOf(serviceId) });
    if (below === null || below[1] !== serviceId) return failure(404, 'Service not found');
    if (takeFault('nonsense') !== null) return [200, { status: 'success', data: { entries: [{ name: 7 }] } }];
    const rest = below.groups?.['rest'] ?? '';
    if (rest === '') {
      return success({
        gameserver: {
          ...options.address,
          ...standIn.gameServer,
          game: 'dayzxb',
          service_id: Number(serviceId),
          game_specific: { path: standIn.gamePath },
        },
      });
    }
    if (rest === '/settings')
      return success({ settings: { general: { bans: standIn.bans, whitelist: '' } } });
    const kind = /^\/file_server\/(list|stat|size|seek|download)$/.exec(rest)?.[1];
    return kind === undefined ? failure(404, 'No such route') : await files(url.searchParams, kind);
  }

  async function sendFile(url: URL, response: ServerResponse): Promise<void> {
    const key = url.searchParams.get('token') ?? '';
    const asked = addresses.get(key);
    addresses.delete(key);
    const file = asked && (await contents()).get(asked.path);
    if (asked === undefined || file === undefined || file === 'dir' || takeFault('gone') !== null) {
      response.writeHead(404).end();
      return;
    }
    if (takeFault('silent') !== null) return;
    if (takeFault('huge') !== null) {
      response.writeHead(200);
      while (!response.destroyed) {
        response.write(Buffer.alloc(64 * 1024));
        await new Promise(setImmediate);
      }
      return;
    }
    if (takeFault('webPageAsFile') !== null) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(maintenancePage);
      return;
    }
    const { offset, length } = asked;
    if (offset + (length ?? 0) > file.bytes.length) {
      response.writeHead(500).end();
      return;
    }
    const isWhole = length === null || takeFault('wholeFile') !== null;
    const bytes = isWhole ? file.bytes : file.bytes.subarray(offset, offset + length);
    const part = bytes.subarray(0, Math.floor(bytes.length / 2));
    if (takeFault('short') !== null) {
      response.writeHead(200).end(part);
    } else if (takeFault('cut') !== null) {
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(part, () => response.destroy());
    } else {
      standIn.bytesSent += bytes.length;
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes);
    }
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', standIn.url);
    if (url.pathname === '/_files/') {
      void sendFile(url, response);
      return;
    }
    if (url.pathname.startsWith('/services') && takeFault('webPage') !== null) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(maintenancePage);
      return;
    }
    const answered = api(request, url).catch((error: unknown) => failure(500, String(error)));
    void answered.then(([status, body]) => {
      if (status === 429 && standIn.remaining > 0) response.setHeader('retry-after', standIn.retryAfter);
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-ratelimit-limit': requestsPerHour,
        'x-ratelimit-remaining': standIn.remaining,
        'x-ratelimit-reset': 1_800,
      });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const standIn: NitradoStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serviceId,
    token,
    gamePath,
    requests: [],
    bytesSent: 0,
    remaining: requestsPerHour,
    bans: '',
    hasTimes: true,
    missing: 'refused',
    isAllowed: true,
    gameServer: { status: 'started', slots: 32, query: [] },
    retryAfter: 1,
    faults: [],
    oddEntries: [],
    async handOver() {
      shown = await scan(root, standIn.gamePath);
    },
    beginHour() {
      standIn.remaining = requestsPerHour;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  if (batches) await standIn.handOver();
  return standIn;
}

/** Everything below a folder of this machine, by its path at Nitrado. */
async function scan(root: string, gamePath: string): Promise<Map<string, Shown | 'dir'>> {
  const base = gamePath.replace(/\/$/, '');
  const found = new Map<string, Shown | 'dir'>([[base, 'dir']]);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const local = join(entry.parentPath, entry.name);
    const path = posix.join(base, local.slice(root.length).replaceAll('\\', '/'));
    if (entry.isDirectory()) found.set(path, 'dir');
    else if (entry.isFile()) {
      const { mtimeMs } = await stat(local);
      const modifiedAt = Math.floor(mtimeMs / 1000);
      found.set(path, { bytes: await readFile(local), modifiedAt });
    }
  }
  return found;
}

const maintenancePage = `<!doctype html>\n<title>\n We'll be back </title>${'<p>soon</p>'.repeat(1_000)}`;

/** Where no client should go. */
const foreignAddresses = { plainAddress: 'http://203.0.113.5/_files/', elsewhere: 'file:///etc/passwd' };

const isAbove = (folder: string, gamePath: string): boolean =>
  folder === '/' || gamePath.startsWith(`${folder}/`);
const success = (data: unknown): [number, unknown] => [200, { status: 'success', data }];
const failure = (status: number, message: string): [number, unknown] => [
  status,
  { status: 'error', message },
];
