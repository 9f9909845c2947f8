import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import * as http from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { createQuery, type QueryTarget } from '../../../src/server/live/query.ts';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const target = (game: string, queryPort: number): QueryTarget => ({
  game,
  host: '127.0.0.1',
  port: queryPort,
  queryPort,
});

/** A UDP server that sends the same packets for each one that it receives. */
async function udpServer(...answers: readonly Buffer[]): Promise<number> {
  const socket = createSocket('udp4', (_, { port }) => {
    for (const answer of answers) socket.send(answer, port, '127.0.0.1');
  });
  open.push(socket);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

/** An answer of A2S_INFO: the server Bomb with 3 of 60 players on enoch. */
const info = Buffer.from(
  '\xff\xff\xff\xffI\x11Bomb\x00enoch\x00dayz\x00DayZ\x00\x00\x00\x03\x3c\x00dw\x00\x001.0\x00\x00',
  'latin1',
);
/** The same, compressed by bzip2. */
const packed = Buffer.from(
  'QlpoOTFBWSZTWVOYkkcAABT/gMgAIAAAAWAEFCAAED5DgLAAAKAAIiT1MmmTam1NpmqFBo0aDIDS/G+jKA3i0LKJzhDIKziknOBFQV2lb8XckU4UJBTmJJHA',
  'base64',
);

function split(id: number, payload: Buffer, sizes = 0): Buffer {
  const head = Buffer.alloc(12 + sizes);
  head.writeInt32LE(-2, 0);
  head.writeUInt32LE(id, 4);
  head[8] = 1;
  return Buffer.concat([head, payload]);
}

it('reads an answer in split packets', async () => {
  const port = await udpServer(split(7, info));
  await expect(createQuery({ socketTimeoutMs: 300 })(target('css', port))).resolves.toMatchObject({
    map: 'enoch',
    players: 3,
  });
});

it('unpacks no compressed answer, which could unpack to any size', async () => {
  const port = await udpServer(split(0x80000007, packed, 8));
  const answer = createQuery({ socketTimeoutMs: 300 })(target('css', port));
  await expect(answer).rejects.toMatchObject({ reason: 'unreadable' });
});

it('ignores packets that no game server sends, because of their length', async () => {
  const status = (padding: number) =>
    Buffer.from(`\\mapname\\m\\maxplayers\\60\\x\\${'y'.repeat(padding)}\\queryid\\1.1\\final\\`);
  const usual = createQuery({ socketTimeoutMs: 300 })(
    target('unrealtournament', await udpServer(status(9_000))),
  );
  await expect(usual).resolves.toMatchObject({ map: 'm', maxPlayers: 60 });
  const long = createQuery({ socketTimeoutMs: 300 })(
    target('unrealtournament', await udpServer(status(40_000))),
  );
  await expect(long).rejects.toMatchObject({ reason: 'unreadable' });
});

it('hangs up on a server whose answer over TCP has no end', async () => {
  const endless = 20 * 1024 * 1024;
  let sent = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // The length of the answer: two gigabytes.
    socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0x07]));
    const block = Buffer.alloc(64 * 1024);
    const more = (): void => {
      while (sent < endless && !socket.destroyed) {
        sent += block.length;
        if (!socket.write(block)) return void socket.once('drain', more);
      }
    };
    more();
  });
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(createQuery({ socketTimeoutMs: 1_500 })(target('minecraft', port))).rejects.toThrow();
  expect(sent).toBeLessThan(endless);
});

/** A server of Palworld, which answers by HTTP. */
async function httpServer(answer: http.RequestListener): Promise<number> {
  const server = http.createServer(answer);
  open.push({
    close() {
      server.close();
      server.closeAllConnections();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const askByHttp = createQuery({
  socketTimeoutMs: 1_500,
  keysOf: () => ({ username: 'admin', password: 'x' }),
});
const ofPalworld = Buffer.from(
  JSON.stringify({ servername: 'P', players: [{ name: 'A' }], currentplayernum: 1, maxplayernum: 32 }),
);

it('reads an answer over HTTP, and hangs up where it has no end', async () => {
  const usual = await httpServer((_, response) => response.end(ofPalworld));
  await expect(askByHttp(target('palworld', usual))).resolves.toMatchObject({ players: 1 });
  const endless = 200 * 1024 * 1024;
  let sent = 0;
  const block = Buffer.alloc(64 * 1024);
  const port = await httpServer((_, response) => {
    const more = (): void => {
      while (sent < endless && !response.destroyed) {
        sent += block.length;
        if (!response.write(block)) return void response.once('drain', more);
      }
    };
    more();
  });
  await expect(askByHttp(target('palworld', port))).rejects.toThrow();
  expect(sent).toBeLessThan(endless);
});

it('unpacks nothing that a game server sends over HTTP, and follows it nowhere', async () => {
  const packing = await httpServer((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(ofPalworld));
  });
  await expect(askByHttp(target('palworld', packing))).rejects.toMatchObject({ reason: 'unreadable' });
  let reached = 0;
  const elsewhere = await httpServer((_, response) => {
    reached += 1;
    response.end(ofPalworld);
  });
  const moving = await httpServer((_, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${elsewhere}/` }).end();
  });
  await expect(askByHttp(target('palworld', moving))).rejects.toThrow();
  expect(reached).toBe(0);
});
