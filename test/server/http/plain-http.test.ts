import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorBody } from '../../../src/api/errors.ts';
import type { AppParts } from '../../../src/server/http/app.ts';
import { northwood } from '../../harness/northwood.ts';
import { startTestService, type Caller, type TestService } from '../../harness/service.ts';
import { ask, talk, talkSlowly } from '../../harness/wire.ts';

/** Of all tests, but for those that `restart` it. */
let shared: TestService;
let service: TestService;
let caller: Caller;
beforeAll(async () => {
  shared = await startTestService(northwood());
});
afterAll(() => shared.close());
beforeEach(async () => {
  service = shared;
  // Nothing is left of what an earlier test did: no answer in memory, no use of a limit.
  service.clock.now += 3_600_000;
  caller = await service.caller('northwood');
});
afterEach(async () => {
  if (service !== shared) await service.close();
});

const restart = async (parts: Partial<AppParts>): Promise<void> => {
  service = await startTestService(northwood(), { parts });
  caller = await service.caller('northwood');
};
const credentials = (): Record<string, string> => ({
  Authorization: `Bearer ${caller.token}`,
  'User-Agent': caller.id,
});
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  ask(service.url, { path, method, headers: { ...credentials(), ...headers } });
const raw = (path: string, ...more: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: outpost', ...own(), ...more, '', ''].join('\r\n');
const own = (): string[] => Object.entries(credentials()).map((pair) => pair.join(': '));
const statusesIn = (said: string): unknown[] =>
  [...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
const errorIn = (said: string): { error: string; requestId: string } =>
  JSON.parse(said.slice(said.indexOf('\r\n\r\n') + 4)) as { error: string; requestId: string };

describe('paths', () => {
  it.each([
    ['a slash at the end', '/v1/servers/'],
    ['letters that are percent-encoded', '/v1/%73ervers'],
    ['a whole address as the target', 'http://outpost.example/v1/servers'],
    ['a question mark and nothing after it', '/v1/servers?'],
  ])('are found with %s, the first time and later', async (_name, path) => {
    for (let times = 0; times < 2; times += 1) expect((await get(path)).status).toBe(200);
  });

  it('decode their parameters once', async () => {
    expect((await get('/v1/server/northwood%2D1')).status).toBe(200);
    expect((await get('/v1/server/northwood%252D1')).status).toBe(404);
    expect((await get('/v1/server/..%2F..%2Fv1')).status).toBe(404);
  });

  it('without an id say that one is expected', async () => {
    const { status, body } = await get('/v1/server//schedules');
    expect([status, JSON.parse(body.toString()).message]).toEqual([
      400,
      'serverId: expected the id of a server.',
    ]);
  });

  it.each(['/v1//servers', '/V1/servers', '/v1/servers/x/y/z', '/v1', '/', '/v1/server/'])(
    'like %s are not found, and where all are listed is said',
    async (path) => {
      const { status, body } = await get(path);
      expect([status, JSON.parse(body.toString()).message]).toEqual([
        404,
        expect.stringContaining('GET /openapi.json'),
      ]);
    },
  );
});

describe('methods', () => {
  it('are listed by OPTIONS, without a token', async () => {
    const { status, headers, body } = await ask(service.url, { path: '/v1/servers', method: 'OPTIONS' });
    expect([status, headers.allow, body.length]).toEqual([204, 'GET, HEAD, OPTIONS', 0]);
    const register = await ask(service.url, { path: '/v1/auth/register', method: 'OPTIONS' });
    expect(register.headers.allow).toBe('POST, OPTIONS');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'REPORT', 'M-SEARCH'])(
    'answer 405 to %s and name those there are',
    async (method) => {
      const { status, headers, body } = await get('/v1/servers', {}, method);
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(errorBody.parse(JSON.parse(body.toString())).message).toContain(method);
    },
  );

  it.each(['BREW', 'get', 'GETX'])('that HTTP does not know are answered with 400: %s', async (method) => {
    const said = await talk(service.url, `${method} /v1/servers HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect([said.slice(0, 12), errorIn(said).error]).toEqual(['HTTP/1.1 400', 'invalid_parameters']);
  });

  it('of the whole service are not listed: OPTIONS *', async () => {
    const said = await talk(service.url, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(said).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('that the service does not have are not found on an unknown path', async () => {
    expect((await get('/v1/nothing', {}, 'PROPFIND')).status).toBe(404);
  });

  it('with which nothing can be read close the connection: CONNECT', async () => {
    expect(await talk(service.url, 'CONNECT outpost.example:443 HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('');
  });
});

describe('request ids', () => {
  it.each(['a', 'abc-123_x.y:z', 'x'.repeat(128)])('are taken over when they are sane: %s', async (id) => {
    expect((await get('/v1/servers', { 'X-Request-Id': id })).headers['x-request-id']).toBe(id);
    const missing = await get('/v1/nothing', { 'X-Request-Id': id });
    expect(missing.headers['x-request-id']).toBe(id);
    expect(JSON.parse(missing.body.toString()).requestId).toBe(id);
  });

  it.each(['', ' ', '"quoted"', 'x'.repeat(129), 'a b', '<script>', 'é'])(
    'are made anew when they are not: %s',
    async (id) => {
      const first = (await get('/v1/servers', { 'X-Request-Id': id })).headers['x-request-id'];
      const second = (await get('/v1/servers', { 'X-Request-Id': id })).headers['x-request-id'];
      expect(first).toMatch(/^[\w.:-]+$/);
      expect(first).not.toBe(id);
      expect(second).not.toBe(first);
    },
  );
});

describe('pages in browsers', () => {
  const preflight = { Origin: 'https://site.example', 'Access-Control-Request-Method': 'GET' };

  it('may not read the service unless the owner says so', async () => {
    const names = Object.keys((await get('/v1/servers', { Origin: 'https://site.example' })).headers);
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([]);
    const asked = await ask(service.url, { path: '/v1/servers', method: 'OPTIONS', headers: preflight });
    expect(asked.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('of an allowed origin may, errors and headers included; others may not', async () => {
    await restart({ corsOrigins: ['https://site.example'] });
    const asked = await ask(service.url, { path: '/v1/servers', method: 'OPTIONS', headers: preflight });
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': 'https://site.example',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': expect.stringContaining('Authorization'),
    });
    for (const path of ['/v1/servers', '/v1/servers', '/v1/server/nowhere', '/v1/nothing']) {
      const { headers } = await get(path, { Origin: 'https://site.example' });
      expect(headers['access-control-allow-origin']).toBe('https://site.example');
      expect(headers['access-control-expose-headers']).toContain('RateLimit');
      expect(headers.vary).toContain('Origin');
      const other = await get(path, { Origin: 'https://evil.example' });
      expect(other.headers['access-control-allow-origin']).toBeUndefined();
      expect(other.headers.vary).toContain('Origin');
    }
    expect((await get('/v1/servers')).headers.vary).toContain('Origin');
  });

  it('may send a preflight to /v1 alone, and change no other answer to OPTIONS', async () => {
    await restart({ corsOrigins: ['*'] });
    const options = (path: string, headers: Record<string, string> = preflight) =>
      ask(service.url, { path, method: 'OPTIONS', headers });
    expect((await options('/v1/servers')).headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-max-age': '600',
    });
    for (const path of ['/docs/try/v1/servers', '/healthz']) {
      expect((await options(path)).headers['access-control-allow-headers']).toBeUndefined();
    }
    const plain = await options('/v1/servers', {});
    expect([plain.status, plain.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
    const unknown = await options('/v1/nothing');
    expect([unknown.status, JSON.parse(unknown.body.toString()).error]).toEqual([404, 'not_found']);
  });
});

describe('connections', () => {
  it('carry pipelined requests, answered in their order', async () => {
    const said = await talk(
      service.url,
      raw('/v1/servers') + raw('/v1/nothing') + raw('/v1/servers') + raw('/v1/project', 'Connection: close'),
    );
    expect([...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '404',
      '200',
      '200',
    ]);
    expect(said.lastIndexOf('"project"')).toBeGreaterThan(said.lastIndexOf('"servers"'));
  });

  it.each([
    ['headers that are too large', () => raw('/v1/servers', `X-Long: ${'x'.repeat(20_000)}`)],
    ['a URI that is too long', () => raw(`/v1/servers?x=${'x'.repeat(17_000)}`)],
  ])('with %s, at once or in pieces, are cut off with 431', async (_name, request) => {
    const long = request();
    for (const pieces of [[long], [long.slice(0, 9_000), long.slice(9_000)]]) {
      const said = await talkSlowly(service.url, pieces);
      expect([said.slice(0, 12), errorIn(said).error]).toEqual(['HTTP/1.1 431', 'headers_too_large']);
      expect(said).toContain(`X-Request-Id: ${errorIn(said).requestId}`);
    }
    expect(statusesIn(await talk(service.url, raw('/v1/project') + long))).toEqual(['200', '431']);
  });

  it.each(['GET /healthz HTTP/2.0', 'GET /healthz HTTP/0.9', 'GET /healthz HTTP/3.0', 'PRI * HTTP/2.0'])(
    'with another version of HTTP get 400: %s',
    async (line) => {
      const said = await talk(service.url, `${line}\r\nHost: a\r\nConnection: close\r\n\r\nSM\r\n\r\n`);
      expect([said.slice(0, 12), errorIn(said).error]).toEqual(['HTTP/1.1 400', 'invalid_parameters']);
    },
  );

  it.each(['', ' ', 'a b', 'a/b', 'user@a', 'a:b', 'a:1:2', '[::1', 'ä', 'a%2', 'http://a'])(
    'get 400 for an invalid Host: "%s"',
    async (host) => {
      const said = await talk(
        service.url,
        `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(said).toMatch(/^HTTP\/1\.1 400 /);
      expect(errorBody.parse(errorIn(said)).details).toMatchObject([{ in: 'headers', path: 'Host' }]);
    },
  );

  it.each(['a', 'a:80', 'a:', 'my_host.example.', '127.0.0.1:8080', '[::1]', '[2001:db8::1]:443', 'a%20b'])(
    'are answered for any valid Host: "%s"',
    async (host) => {
      expect((await get('/healthz', { Host: host })).status).toBe(200);
    },
  );

  it.each(['Authorization: Bearer x', 'authorization: Bearer x', 'User-Agent: x', 'USER-AGENT: x'])(
    'get 400 for a second header "%s"',
    async (line) => {
      const said = await talk(service.url, raw('/v1/servers', line, 'Connection: close'));
      expect(said).toMatch(/^HTTP\/1\.1 400 /);
      expect(errorBody.parse(errorIn(said)).details?.[0]?.message).toBe('expected exactly one');
    },
  );

  it.each([
    ['/v1/auth/register', '413'],
    ['/v1/servers', '405'],
  ])('to %s with a body that nobody reads are closed', async (path, status) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const length = path === '/v1/servers' ? 'Transfer-Encoding: chunked' : 'Content-Length: 1000000000';
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${length}\r\n\r\n`);
    expect(statusesIn(String((await once(socket, 'data'))[0]))).toEqual([status]);
    // More than the buffers of two sockets hold.
    for (let sent = 0; sent < 400 && !socket.closed; sent += 1) {
      if (socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`)) continue;
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
    expect(socket.closed).toBe(true);
  });

  it('with what is no HTTP are cut off with 400', async () => {
    const said = await talk(service.url, 'secret=ops_abc\r\n\r\n');
    expect(said).toMatch(/^HTTP\/1\.1 400 /);
    expect(errorIn(said).error).toBe('invalid_parameters');
    expect(said + service.logged.join('')).not.toContain('ops_abc');
  });

  it.each(['gzip', 'identity', 'chunked, gzip'])(
    'with a body whose end nobody knows are answered with 400, and closed: %s',
    async (coding) => {
      for (const path of ['/v1/servers', '/healthz', '/v1/nothing']) {
        const said = await talk(service.url, raw(path, `Transfer-Encoding: ${coding}`) + raw('/v1/project'));
        expect(statusesIn(said)).toEqual(['400']);
        expect(errorIn(said).error).toBe('invalid_parameters');
      }
      // The first is read from the store, and answered later than the second.
      const said = await talk(
        service.url,
        raw('/v1/banlists') + raw('/healthz', `Transfer-Encoding: ${coding}`),
      );
      expect(statusesIn(said)).toEqual(['200', '400']);
    },
  );

  it('are kept when a GET says that it has no body', async () => {
    const said = await talk(
      service.url,
      raw('/v1/servers', 'Content-Length: 0') + raw('/v1/project', 'Connection: close'),
    );
    expect(said.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  it.each([
    ['without a Host', 'HTTP/1.1', []],
    ['with two Hosts', 'HTTP/1.1', ['Host: a', 'hOST: a']],
    ['with two Hosts', 'HTTP/1.0', ['Host: a', 'Host: b']],
  ])('get the form of every error for a request %s (%s)', async (_name, version, hosts) => {
    // Of a target that is answered from memory, too.
    for (let times = 0; times < 2; times += 1) await get('/v1/servers');
    for (const path of ['/v1/servers', '/healthz', '/v1/nothing']) {
      const lines = [`GET ${path} ${version}`, ...hosts, ...own(), 'Connection: close', '', ''];
      const said = await talk(service.url, lines.join('\r\n'));
      expect(said).toMatch(/^HTTP\/1\.1 400 /);
      const error = errorBody.parse(errorIn(said));
      expect(error.details).toEqual([{ in: 'headers', path: 'Host', message: 'expected exactly one' }]);
      expect(said.toLowerCase()).toContain(`x-request-id: ${error.requestId}`);
    }
  });

  it('need no Host in HTTP/1.0', async () => {
    expect(await talk(service.url, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('get their answers before what is no HTTP behind them is refused', async () => {
    // The first is answered by the app, later ones from memory.
    for (const good of [raw('/v1/servers'), raw('/v1/servers') + raw('/v1/project') + raw('/v1/servers')]) {
      const said = await talk(service.url, `${good}nonsense\r\n\r\n`);
      const statuses = [...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      expect(statuses).toEqual([...(good.match(/GET /g) ?? []).map(() => '200'), '400']);
      expect(said).toContain('"servers"');
    }
    const broken =
      'POST /v1/auth/register HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n';
    const said = await talk(service.url, raw('/v1/banlists') + broken);
    expect([...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '400']);
  });

  it('that send their headers, or their body, too slowly are cut off with 408', async () => {
    await restart({ bounds: { headersTimeoutMs: 200, requestTimeoutMs: 400, checkEveryMs: 50 } });
    const headers = await talk(service.url, 'GET /v1/servers HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    expect([headers.slice(0, 12), errorIn(headers).error]).toEqual(['HTTP/1.1 408', 'request_timeout']);
    const body = await talk(
      service.url,
      `POST /v1/auth/register HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"application_id":`,
    );
    expect([body.slice(0, 12), errorIn(body).error]).toEqual(['HTTP/1.1 408', 'request_timeout']);
    expect((await get('/v1/servers')).status).toBe(200);
  });

  it('stay longer than nginx and balancers of AWS keep them, which is 60 s', async () => {
    const said = await talk(service.url, 'GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\nx\r\n\r\n');
    expect(Number(/Keep-Alive: timeout=(\d+)/.exec(said)?.[1])).toBeGreaterThan(65);
  });

  it('that say nothing at all do not stay', async () => {
    await restart({ bounds: { headersTimeoutMs: 200, requestTimeoutMs: 400, checkEveryMs: 50 } });
    expect(await talk(service.url)).toMatch(/^(HTTP\/1\.1 408|$)/);
  });

  it('are not held open by a body that no operation reads', async () => {
    const said = await talk(
      service.url,
      raw('/v1/servers', 'Content-Length: 100000000').concat('x'.repeat(1000)),
    );
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    expect(said).toContain('"servers"');
  });

  it('beyond the most there may be are refused, and taken again when others leave', async () => {
    await restart({ bounds: { maxConnections: 5 } });
    const { hostname, port } = new URL(service.url);
    const sockets = Array.from({ length: 8 }, () =>
      connect(Number(port), hostname).on('error', () => undefined),
    );
    await expect.poll(() => sockets.filter((socket) => socket.destroyed).length).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await get('/v1/servers').catch(() => null))?.status).toBe(200);
  });
});

describe('the caller’s address', () => {
  const addressOf = async (forwarded: string): Promise<unknown> => {
    const requests = (): string[] => service.logged.filter((line) => line.includes('"address"'));
    const before = requests().length;
    await get('/v1/servers', { 'X-Forwarded-For': forwarded });
    await expect.poll(() => requests().length).toBeGreaterThan(before);
    return (JSON.parse(requests().at(-1) as string) as { address: unknown }).address;
  };

  it('is the connection’s, whatever is said', async () => {
    expect(await addressOf('203.0.113.9')).toBe('127.0.0.1');
  });

  it('behind a trusted proxy is what that proxy says, and not what strangers put before it', async () => {
    await restart({ trustProxy: ['127.0.0.1', '10.0.0.0/8'] });
    expect(await addressOf('203.0.113.9')).toBe('203.0.113.9');
    expect(await addressOf('6.6.6.6, 203.0.113.9, 10.1.2.3')).toBe('203.0.113.9');
    expect(await addressOf('nonsense')).toBe('127.0.0.1');
    expect(await addressOf('6.6.6.6, nonsense')).toBe('127.0.0.1');
    expect(await addressOf('2001:db8::1')).toBe('2001:db8::1');
    expect(await addressOf('203.0.113.9:1234, 10.1.2.3:80')).toBe('203.0.113.9');
    expect(await addressOf('[2001:db8::1]:1234')).toBe('2001:db8::1');
    expect(await addressOf('[2001:db8::1]')).toBe('2001:db8::1');
    expect(await addressOf('[203.0.113.9:1')).toBe('127.0.0.1');
  });
});

describe('health', () => {
  it('is reported without a token: alive, and ready', async () => {
    const alive = await ask(`${service.url}/healthz`);
    expect([alive.status, JSON.parse(alive.body.toString())]).toEqual([200, { status: 'alive' }]);
    const ready = await ask(`${service.url}/readyz`);
    expect([ready.status, JSON.parse(ready.body.toString()).status]).toEqual([200, 'ready']);
    expect(ready.headers['cache-control']).toBe('no-store');
  });

  it('is 503 while a part does not work, and names it', async () => {
    let works = false;
    await restart({ readiness: { poller: () => works } });
    const down = await ask(`${service.url}/readyz`);
    expect([down.status, JSON.parse(down.body.toString())]).toEqual([
      503,
      { status: 'unavailable', checks: { service: true, poller: false } },
    ]);
    expect((await ask(`${service.url}/healthz`)).status).toBe(200);
    works = true;
    expect((await ask(`${service.url}/readyz`)).status).toBe(200);
  });
});

it('logs one line a request and no secret from a query, wherever it is sent', async () => {
  const query = `?secret=${caller.secret}&token=${caller.token}&application_id=x`;
  const paths = [
    '/v1/servers',
    '/v1/nothing',
    '/v1/auth/register',
    '/%zz',
    '/healthz',
    '/v1/server/x',
    '/docs',
    '//',
  ];
  const before = service.logged.length;
  for (const path of paths) await get(path + query);
  for (const path of paths) await get(path + query, {}, 'DELETE');
  await talk(service.url, `GET /v1/servers${query} HTTP/9.9\r\n\r\n`);
  await expect.poll(() => service.logged.length).toBe(before + 2 * paths.length + 1);
  const log = service.logged.join('');
  expect(log).not.toContain(caller.secret);
  expect(log).not.toContain(caller.token);
});
