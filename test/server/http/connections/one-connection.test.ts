import { afterEach, beforeEach, expect, it } from 'vitest';
import { northwood, steamIds, storeAnn, storeBan, storePlayers } from '../../../harness/northwood.ts';
import { baseTime, startTestService, type Caller, type TestService } from '../../../harness/service.ts';
import { talk } from '../../../harness/wire.ts';

let service: TestService;
let caller: Caller;
beforeEach(async () => {
  service = await startTestService(northwood());
  caller = await service.caller('northwood');
  await storeAnn(service.db, 'northwood');
});
afterEach(() => service.close());

interface Said {
  status: number;
  /** Names as written, in their order; `Date` and what counts requests left out. */
  names: string[];
  headers: Record<string, string>;
  body: string;
}

/** Sends requests one behind the other over one connection; the last asks to close it. */
async function over(...requests: { path: string; method?: string; lines?: string[] }[]): Promise<Said[]> {
  const texts = requests.map(({ path, method = 'GET', lines = own() }, index) =>
    [
      `${method} ${path} HTTP/1.1`,
      'Host: outpost',
      ...lines,
      ...(index === requests.length - 1 ? ['Connection: close'] : []),
      '\r\n',
    ].join('\r\n'),
  );
  const said = await talk(service.url, texts.join(''));
  const answers: Said[] = [];
  let rest = said;
  for (const { method } of requests) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const pairs = lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
    const headers = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
    const length = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0);
    const status = Number(statusLine.split(' ')[1]);
    answers.push({
      status,
      names: pairs.map(([name]) => name.toLowerCase()).toSorted(),
      headers,
      body: rest.slice(end + 4, end + 4 + length),
    });
    rest = rest.slice(end + 4 + length);
  }
  expect(rest).toBe('');
  return answers;
}

const own = (token = caller.token, id = caller.id): string[] => [
  `Authorization: Bearer ${token}`,
  `User-Agent: ${id}`,
];

it('gives the same answer with the same headers every time, large or small, and to HEAD without its body', async () => {
  const players = await storePlayers(
    service.db,
    'northwood',
    Array.from({ length: 100 }, (_, index) => index),
  );
  for (const [index, playerId] of players.entries())
    await storeBan(service.db, 'northwood-bans', {
      key: `b${index}`,
      playerId,
      startsAt: index,
      reason: 'x',
    });
  for (const path of ['/v1/servers', `/v1/player/${steamIds.ann}`, '/v1/banlists/northwood-bans/bans']) {
    const [first, second, head, third] = (await over(
      { path },
      { path },
      { path, method: 'HEAD' },
      { path },
      { path },
    )) as [Said, Said, Said, Said];
    for (const answer of [second, head, third]) {
      expect([answer.status, answer.names]).toEqual([200, first.names]);
      expect(answer.headers['etag']).toBe(first.headers['etag']);
      expect(answer.headers['content-length']).toBe(first.headers['content-length']);
    }
    expect([second.body, head.body, third.body]).toEqual([first.body, '', first.body]);
    expect(JSON.parse(first.body)).toBeTruthy();
  }
});

it('answers each request by its own headers and path, whatever came before over the connection', async () => {
  const other = await service.caller('southshore');
  const tag = (await over({ path: '/v1/servers' }))[0]?.headers['etag'];
  const answers = await over(
    { path: '/v1/servers' },
    { path: '/v1/servers' },
    { path: '/v1/servers', lines: own(other.token, other.id) },
    { path: '/v1/servers', lines: own(caller.token, other.id) },
    { path: '/v1/servers', lines: own(`${caller.token}x`) },
    { path: '/v1/servers', lines: [] },
    { path: '/v1/servers', lines: [...own(), `If-None-Match: ${tag}`] },
    { path: '/v1/servers', lines: [...own(), `If-None-Match: ${tag}`] },
    { path: '/v1/servers', lines: [...own(), 'X-Request-Id: mine'] },
    { path: '/v1/servers', lines: [...own(), 'X-Request-Id: mine'] },
    { path: '/v1/project' },
    { path: '/v1/servers?limit=1' },
    { path: '/v1/servers' },
    { path: '/v1/servers' },
  );
  expect(answers.map(({ status }) => status)).toEqual([
    200, 200, 200, 403, 401, 401, 304, 304, 200, 200, 200, 400, 200, 200,
  ]);
  expect(answers[2]?.body).toContain('southshore-1');
  expect(answers[1]?.body).not.toContain('southshore-1');
  expect([8, 9].map((index) => answers[index]?.headers['x-request-id'])).toEqual(['mine', 'mine']);
  expect(answers[10]?.body).toContain('"project"');
  const ids = answers.map(({ headers }) => headers['x-request-id']);
  expect(new Set(ids).size).toBe(answers.length - 1);
  const left = [0, 1, 6, 7, 8, 9].map((index) => Number(answers[index]?.headers['x-ratelimit-remaining']));
  expect(left).toEqual([118, 117, 116, 115, 114, 113]);
});

it('answers callers of HTTP/1.0 and those who close, and closes', async () => {
  await over({ path: '/v1/servers' }, { path: '/v1/servers' });
  for (const [version, line] of [
    ['1.0', 'X-None: 1'],
    ['1.1', 'Connection: close'],
  ] as const) {
    const said = await talk(
      service.url,
      ['GET /v1/servers HTTP/' + version, 'Host: a', ...own(), line, '\r\n'].join('\r\n'),
    );
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    expect(said).toMatch(/\r\nConnection: close\r\n/i);
    expect(said.match(/HTTP\/1\.1/g)).toHaveLength(1);
  }
});

it('refuses an expired token over the connection on which it was good', async () => {
  const { hostname, port } = new URL(service.url);
  const { Agent, request } = await import('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const status = () =>
    new Promise<number>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${caller.token}`, 'User-Agent': caller.id };
      const outgoing = request({ hostname, port, path: '/v1/servers', agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      });
      outgoing.once('error', reject).end();
    });
  expect([await status(), await status(), await status()]).toEqual([200, 200, 200]);
  service.clock.now = baseTime + 86_400_000 - 1;
  expect(await status()).toBe(200);
  service.clock.now = baseTime + 86_400_000;
  expect(await status()).toBe(401);
  agent.destroy();
});
