import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClient, type ClientOptions } from '../../src/api/client.ts';
import { ServiceError, ServiceUnreachableError, type Client } from '../../src/api/client-types.ts';
import type { HeldTokenData } from '../../src/api/held-token.ts';
import { hashSecret } from '../../src/server/store/repositories/applications/credentials.ts';
import { rotateApplication } from '../../src/server/store/repositories/applications/applications.ts';
import { northwood, steamIds, storeAnn } from '../harness/northwood.ts';
import { startTestService, type Credentials, type TestService } from '../harness/service.ts';

let service: TestService;
let app: Credentials;
/** What went over the wire, as `METHOD path`. */
let requests: string[];
let down: boolean;

beforeEach(async () => {
  service = await startTestService(northwood());
  app = await service.application('northwood');
  requests = [];
  down = false;
});
afterEach(() => service.close());

function connect(options: Partial<ClientOptions> = {}): Client {
  return createClient({
    baseUrl: service.url,
    applicationId: app.id,
    secret: app.secret,
    now: () => service.clock.now,
    monotonic: service.clock.monotonic,
    fetch: async (input, init) => {
      const { pathname, search } = input as URL;
      requests.push(`${init?.method} ${pathname}${search}`);
      if (down) throw new TypeError('fetch failed');
      return await fetch(input, init);
    },
    ...options,
  });
}

it('registers by itself and reads every kind of operation', async () => {
  await storeAnn(service.db, 'northwood');
  const client = connect();
  const { data, stale } = await client.getProject();
  expect([data.project.slug, stale]).toEqual(['northwood', false]);
  expect((await client.getServer({ serverId: 'northwood-1' })).data.server.name).toBe(
    'Northwood | Chernarus',
  );
  const { data: boards } = await client.listLeaderboards({ metric: 'deaths', limit: 5 });
  expect(boards.leaderboards[0]?.rows[0]?.player.name).toBe('Ann');
  expect((await client.getPlayer({ identifier: steamIds.ann })).data.player.name).toBe('Ann');
  expect(requests.filter((request) => request.includes('register'))).toHaveLength(1);
});

it('shares one registration and one request among equal callers', async () => {
  const client = connect();
  await Promise.all(Array.from({ length: 50 }, () => client.listServers()));
  expect(requests).toEqual(['POST /v1/auth/register', 'GET /v1/servers']);
});

it('keeps an answer for seconds, then asks again', async () => {
  const client = connect();
  await client.listServers();
  service.clock.now += 4_999;
  await client.listServers();
  expect(requests.filter((request) => request === 'GET /v1/servers')).toHaveLength(1);
  service.clock.now += 1;
  await client.listServers();
  expect(requests.filter((request) => request === 'GET /v1/servers')).toHaveLength(2);
});

it('renews its token before it ends, without making anyone wait', async () => {
  const client = connect();
  await client.listServers();
  service.clock.now += 23.5 * 3_600_000;
  await client.listServers();
  await expect.poll(() => requests.filter((request) => request.includes('register'))).toHaveLength(2);
  service.clock.now += 3_600_000;
  expect((await client.listServers()).stale).toBe(false);
});

it('registers once more when the service no longer takes its token', async () => {
  const client = connect();
  await client.listServers();
  await rotateApplication(service.db, app.id, hashSecret(app.secret), service.clock.now);
  service.clock.now += 10_000;
  expect((await client.listServers()).stale).toBe(false);
  expect(requests.slice(-3)).toEqual(['GET /v1/servers', 'POST /v1/auth/register', 'GET /v1/servers']);
});

it('gives the last answer, marked stale and with its age, while the service is away', async () => {
  const client = connect();
  const first = await client.listServers();
  down = true;
  service.clock.now += 60_000;
  expect(await client.listServers()).toEqual({ ...first, stale: true });
  await expect(client.listBanlists()).rejects.toBeInstanceOf(ServiceUnreachableError);
  service.clock.now += 3_600_000;
  await expect(client.listServers()).rejects.toBeInstanceOf(ServiceUnreachableError);
});

it('gives the last answer when the limit is spent, and asks no more before the time that the service named', async () => {
  const client = connect();
  const first = await client.listServers();
  service.clock.now += 6_000;
  for (let index = 0; index < 119; index += 1) {
    await client.getPlayer({ identifier: String(76561190000000000n + BigInt(index)) }).catch(() => undefined);
  }
  requests = [];
  expect(await client.listServers()).toEqual({ ...first, stale: true });
  expect(await client.listServers()).toEqual({ ...first, stale: true });
  expect(requests).toEqual(['GET /v1/servers']);
  service.clock.now += 54_000;
  expect((await client.listServers()).stale).toBe(false);
});

it.each([-24, -1, 1, 24])('notices nothing when the wall clock is set by %i h', async (hours) => {
  const client = connect();
  const { receivedAt } = await client.listServers();
  service.clock.now += 4_000;
  service.clock.step(hours * 3_600_000);
  requests = [];
  const again = await client.listServers();
  expect(again.stale).toBe(false);
  expect(requests).toEqual([]);
  // Its age is that of the answer, whatever the clock said then.
  expect(service.clock.now - again.receivedAt).toBe(4_000);
  expect(again.receivedAt).toBe(receivedAt + hours * 3_600_000);
  service.clock.now += 1_000;
  // A day ahead the service no longer takes the token, and the caller does not learn of it.
  expect((await client.listServers()).stale).toBe(false);
  service.clock.now += 5_000;
  down = true;
  expect(await client.listServers()).toMatchObject({ stale: true, receivedAt: service.clock.now - 5_000 });
});

it('says for how long a limit is spent when it may not wait that long and has no earlier answer', async () => {
  const client = connect({ maxWaitMs: 0 });
  const online = (id: string): Promise<unknown> => client.listOnlinePlayers({ serverId: id });
  await expect(online('northwood-2')).rejects.toMatchObject({ code: 'data_source_not_configured' });
  await expect(online('northwood-2')).rejects.toMatchObject({ code: 'data_source_not_configured' });
  const limited = online('northwood-2');
  await expect(limited).rejects.toMatchObject({ code: 'rate_limited', body: { retryAfter: 30 } });
});

it('waits a limit out when it has no earlier answer', async () => {
  let answers = 0;
  const busy = createServer((request, response) => {
    request.resume();
    answers += 1;
    if (request.url?.includes('register')) {
      response.end(JSON.stringify({ token: 't', expiresIn: 86_400 }));
    } else if (answers === 2) {
      response.statusCode = 429;
      response.end(JSON.stringify({ error: 'rate_limited', message: 'm', requestId: 'r', retryAfter: 1 }));
    } else response.end('{"servers":[]}');
  });
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const { port } = busy.address() as AddressInfo;
  const client = connect({ baseUrl: `http://127.0.0.1:${port}`, monotonic: () => performance.now() });
  expect((await client.listServers()).data.servers).toEqual([]);
  expect(answers).toBe(3);
  busy.closeAllConnections();
  busy.close();
});

it('passes the refusals of the service on as they are', async () => {
  const client = connect();
  const failure = await client.getServer({ serverId: 'no/../such server' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ServiceError);
  expect(failure).toMatchObject({ code: 'not_found', status: 404 });
  await expect(client.getPlayer({ identifier: 'steam:1' })).rejects.toMatchObject({
    code: 'invalid_parameters',
  });
});

it('says plainly that its credentials are refused', async () => {
  const client = connect({ secret: 'ops_wrong' });
  await expect(client.listServers()).rejects.toMatchObject({ code: 'invalid_credentials' });
});

it('keeps its token over a restart where it is given a place for it', async () => {
  let saved: HeldTokenData | undefined;
  const tokenStore = { load: async () => saved, save: async (token: HeldTokenData) => void (saved = token) };
  await connect({ tokenStore }).listServers();
  requests = [];
  await connect({ tokenStore }).listServers();
  expect(requests).toEqual(['GET /v1/servers']);
});

it.each([
  ['a page that is no JSON', 502, '<html>Bad gateway</html>'],
  ['JSON of another service', 200, '{"servers":[{"id":7}]}'],
  ['an error of another service', 500, '{"message":"oops"}'],
])('takes %s for no answer', async (_name, status, body) => {
  const other: Server = createServer((request, response) => {
    request.resume();
    if (request.url?.includes('register')) {
      response.end(JSON.stringify({ token: 't', expiresIn: 86_400 }));
      return;
    }
    response.statusCode = status;
    response.end(body);
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const client = connect({ baseUrl: `http://127.0.0.1:${port}` });
  await expect(client.listServers()).rejects.toBeInstanceOf(ServiceUnreachableError);
  other.closeAllConnections();
  other.close();
});

it('says where an address leads that is not the service’s own, and sends no secret there', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(301, { Location: `http://127.0.0.1:${port}/elsewhere` }).end('<html>Moved</html>');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const client = connect({ baseUrl: `http://127.0.0.1:${port}` });
  await expect(client.listServers()).rejects.toThrow(/answered 301, a redirect to .*elsewhere/);
  expect(asked).toEqual(['/v1/auth/register']);
  proxy.closeAllConnections();
  proxy.close();
});

it('gives up on a service that does not answer in time', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const client = connect({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 100 });
  await expect(client.listServers()).rejects.toThrow(/did not answer within 0.1 s/);
  silent.closeAllConnections();
  silent.close();
});
