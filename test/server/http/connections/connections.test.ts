import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import {
  boundConnections,
  type ConnectionParts,
} from '../../../../src/server/http/connections/connections.ts';
import { createTestClock } from '../../../harness/clock.ts';

let server: Server;
let connections: () => number;
let logged: string[];
const clock = createTestClock();
const clients: Socket[] = [];

/** Other addresses of loopback stand for those of strangers. */
async function start(parts: Partial<ConnectionParts>): Promise<void> {
  logged = [];
  server = createServer({ keepAliveTimeout: 60_000 }, (_request, response) => response.end('here'));
  connections = boundConnections(server, {
    maxConnections: 100,
    maxConnectionsPerAddress: 100,
    isProxy: () => false,
    isOwn: (address) => address === '127.0.0.1',
    log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
    monotonic: clock.monotonic,
    ...parts,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.close();
  server.closeAllConnections();
});

/** Opens a connection and asks over it; false: it was closed without an answer. */
async function ask(localAddress: string): Promise<Socket | false> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  clients.push(socket);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  return await new Promise((resolve) => {
    socket.once('data', () => resolve(socket));
    socket.once('close', () => resolve(false));
  });
}

it('lets one address have so many connections, and others in while it keeps them', async () => {
  await start({ maxConnectionsPerAddress: 3 });
  const held = [];
  for (let index = 0; index < 3; index += 1) held.push(await ask('127.0.0.2'));
  expect(held).not.toContain(false);
  expect(await ask('127.0.0.2')).toBe(false);
  expect(await ask('127.0.0.3')).not.toBe(false);
  (held[0] as Socket).destroy();
  await expect.poll(connections).toBe(3);
  expect(await ask('127.0.0.2')).not.toBe(false);
});

it('bounds neither this machine nor trusted proxies by their address', async () => {
  await start({ maxConnectionsPerAddress: 1, isProxy: (address) => address === '127.0.0.9' });
  for (const address of ['127.0.0.1', '127.0.0.1', '127.0.0.9', '127.0.0.9'])
    expect(await ask(address)).not.toBe(false);
});

it('leaves a place to this machine when strangers have taken all', async () => {
  // Open but silent, so that none is idle between two requests.
  await start({ maxConnections: 4 });
  const { port } = server.address() as AddressInfo;
  for (let index = 2; index < 6; index += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${index}` });
    clients.push(socket.on('error', () => undefined));
  }
  await expect.poll(connections).toBe(4);
  expect(await ask('127.0.0.7')).toBe(false);
  expect(await ask('127.0.0.1')).not.toBe(false);
});

it('closes connections that wait for a next request when places run short', async () => {
  await start({ maxConnections: 10 });
  for (let index = 0; index < 9; index += 1) expect(await ask('127.0.0.2')).not.toBe(false);
  expect(await ask('127.0.0.3')).not.toBe(false);
  await expect.poll(connections).toBe(1);
});

it('logs who was refused and which bound it was, once a minute', async () => {
  await start({ maxConnectionsPerAddress: 1 });
  for (let index = 0; index < 4; index += 1) await ask('127.0.0.2');
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('127.0.0.2');
  expect(logged[0]).toContain('http.maxConnectionsPerAddress');
  clock.advance(60_000);
  await ask('127.0.0.2');
  expect(logged).toHaveLength(2);
});
