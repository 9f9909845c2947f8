import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { PacedServer } from '../../../../src/server/http/connections/paced-connection.ts';

let server: PacedServer;
let requests: IncomingMessage[];
const clients: Socket[] = [];

async function start(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> {
  requests = [];
  server = new PacedServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.close();
  server.closeAllConnections();
});

async function open(): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined);
  clients.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** The bodies of all answers, once the service has closed the connection. */
async function bodies(socket: Socket): Promise<string[]> {
  let said = '';
  socket.on('data', (data) => (said += data.toString('latin1')));
  await once(socket, 'close');
  return [...said.matchAll(/\r\n\r\n<(.*?)>/gs)].map(([, body]) => body as string);
}

const get = (path: string, blank = '\r\n\r\n'): string => `GET ${path} HTTP/1.1\r\nHost: a${blank}`;
const urls = (): (string | undefined)[] => requests.map(({ url }) => url);
const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `/${index}`);

const last = (path: string): string => get(path, '\r\nConnection: close\r\n\r\n');

it('answers everything that was sent at once, in order', async () => {
  await start(({ url }, response) => void setTimeout(() => response.end(`<${url}>`), Math.random() * 3));
  const socket = await open();
  const all = numbers(400);
  socket.write(all.map((path) => get(path)).join('') + last('/last'));
  expect(await bodies(socket)).toEqual([...all, '/last']);
});

it('takes no more requests of a connection than it answers', async () => {
  const answers: ServerResponse[] = [];
  await start((_request, response) => void answers.push(response));
  const socket = await open();
  socket.resume();
  socket.write(
    numbers(100)
      .map((path) => get(path))
      .join(''),
  );
  await expect.poll(() => requests.length).toBe(16);
  await delay(50);
  expect(urls()).toEqual(numbers(16));
  answers.shift()?.end();
  await expect.poll(() => requests.length).toBe(17);
  await delay(50);
  expect(urls()).toEqual(numbers(17));
});

it('sends an answer that is ready while later ones are not, and large ones to slow readers', async () => {
  const large = `<${'a'.repeat(3_000_000)}>`;
  await start(
    ({ url }, response) => void (url === '/never' || response.end(url === '/large' ? large : `<${url}>`)),
  );
  const socket = await open();
  socket.write(get('/first') + get('/never'));
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(data.toString('latin1')).toContain('</first>');
  const slow = await open();
  slow.write(get('/large') + get('/first') + last('/large'));
  await delay(50);
  expect(await bodies(slow)).toEqual([large.slice(1, -1), '/first', large.slice(1, -1)]);
});

it('answers others while one connection waits for its answers', async () => {
  await start(({ url }, response) => void (url === '/slow' || response.end(`<${url}>`)));
  const slow = await open();
  slow.write(get('/slow').repeat(1_000));
  await expect.poll(() => requests.length).toBe(16);
  const other = await open();
  other.write(last('/other'));
  expect(await bodies(other)).toEqual(['/other']);
});

it('takes bodies whole, with blank lines in them and requests behind them', async () => {
  await start((request, response) => {
    let length = 0;
    request.on('data', (data: Buffer) => (length += data.length));
    request.on('end', () => response.end(`<${request.url} ${length}>`));
  });
  const socket = await open();
  const body = 'a\n\r\n\n\r\n\r\n'.repeat(20_000);
  socket.write(`POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  socket.write(`POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (let chunk = 0; chunk < 300; chunk += 1) socket.write('4\r\n\n\n\n\n\r\n');
  socket.write(`0\r\n\r\n${get('/c')}${last('/d')}`);
  expect(await bodies(socket)).toEqual([`/a ${body.length}`, '/b 1200', '/c 0', '/d 0']);
});

it('reads large bodies in small parts, between which others have their turn', async () => {
  const parts: number[] = [];
  await start((request, response) => {
    request.on('data', (data: Buffer) => parts.push(data.length));
    request.on('end', () => response.end('<read>'));
  });
  const socket = await open();
  const body = 'x'.repeat(60_000);
  socket.write(
    `${last('/').replace('GET', 'POST').trimEnd()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(await bodies(socket)).toEqual(['read']);
  expect(parts.reduce((sum, length) => sum + length)).toBe(body.length);
  expect(Math.max(...parts)).toBeLessThanOrEqual(8_192);
});

it('forgets the requests of a connection that is gone, so that others may have as many', async () => {
  await start(() => undefined);
  for (let round = 0; round < 3; round += 1) {
    const sockets = await Promise.all(Array.from({ length: 150 }, open));
    for (const socket of sockets) socket.write(get('/').repeat(40));
    // Two thousand in all, and one for each connection that came later.
    await expect.poll(() => requests.length).toBeGreaterThanOrEqual(2_000);
    await delay(100);
    expect(requests.length).toBeLessThan(2_000 + 150 + 16);
    requests = [];
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => await connectionCount()).toBe(0);
  }
});

async function connectionCount(): Promise<number> {
  return await new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });
}
