import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Client } from '../../src/api/client-types.ts';
import type { ErrorBody, ErrorCode } from '../../src/api/errors.ts';
import * as data from '../embeds/contract-data.ts';

interface Answer {
  status?: number;
  body: unknown;
}

let service: Server;
let client: Client;
/** How a path is answered; absent: as usual. */
let answers: Map<string, Answer>;
/** `METHOD path` of everything that was asked. */
let requests: string[];
let clock: number;

const usual = new Map<RegExp, unknown>([
  [/\/register$/, { token: 't', expiresIn: 86_400 }],
  [/\/v1\/servers$/, { servers: data.servers }],
  [/\/v1\/project$/, { project: data.project, support: data.support }],
  [/\/schedules$/, { schedules: data.schedules }],
  [/\/players\/online$/, data.online(['Anna'])],
  [/\/v1\/banlists$/, { banlists: [data.banlist()] }],
  [/\/bans$/, { bans: data.bans }],
]);

const refusal = (status: number, error: ErrorCode, extras: Partial<ErrorBody> = {}): Answer => ({
  status,
  body: { error, message: error, requestId: 'r', ...extras },
});

function answerTo({ url = '' }: IncomingMessage): Answer {
  const path = url.split('?')[0]!;
  const injected = answers.get(path);
  if (injected !== undefined) return injected;
  for (const [pattern, body] of usual) if (pattern.test(path)) return { body };
  return refusal(404, 'not_found');
}

beforeEach(async () => {
  answers = new Map();
  requests = [];
  clock = data.now;
  service = createServer((request, response) => {
    request.resume();
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    const { status = 200, body } = answerTo(request);
    response.statusCode = status;
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  client = createClient({
    baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    applicationId: 'opa_1',
    secret: 'ops_1',
    maxWaitMs: 0,
    now: () => clock,
    monotonic: () => clock,
  });
});
afterEach(() => {
  service.closeAllConnections();
  service.close();
});

it('requests the state of servers again within seconds, and what only owners change after a minute', async () => {
  const look = async (): Promise<void> => {
    await client.getProject();
    await client.listServers();
    await client.listSchedules({ serverId: 'northwood-1' });
  };
  await look();
  requests = [];
  for (clock += 5_000; clock < data.now + 60_000; clock += 5_000) await look();
  expect(new Set(requests)).toEqual(new Set(['GET /v1/servers']));
  await look();
  expect(requests).toContain('GET /v1/project');
  expect(requests).toContain('GET /v1/server/northwood-1/schedules');
});

it('keeps the live list for 15 seconds, since two questions in 30 are all that it takes', async () => {
  const look = () => client.listOnlinePlayers({ serverId: 'northwood-1' });
  await look();
  requests = [];
  clock += 14_999;
  await look();
  expect(requests).toEqual([]);
  clock += 1;
  await look();
  expect(requests).toHaveLength(1);
});

it('requests bans again after seconds, together with their counts', async () => {
  const look = async (): Promise<void> => {
    await client.listBanlists();
    await client.listBans({ banListId: 'northwood-bans', limit: 200 });
  };
  await look();
  requests = [];
  clock += 10_000;
  await look();
  expect(requests).toHaveLength(2);
});

it('gives the last answer when the service has an error of its own, and the error where there is none', async () => {
  const first = await client.listServers();
  answers.set('/v1/servers', refusal(500, 'internal_error'));
  clock += 60_000;
  expect(await client.listServers()).toEqual({ ...first, stale: true });
  answers.set('/v1/project', refusal(500, 'internal_error'));
  await expect(client.getProject()).rejects.toMatchObject({ code: 'internal_error' });
});

it('gives no earlier answer in place of a refusal', async () => {
  await client.listServers();
  answers.set('/v1/servers', refusal(423, 'project_suspended'));
  clock += 60_000;
  await expect(client.listServers()).rejects.toMatchObject({ code: 'project_suspended' });
});

it('gives up when a new token is refused too, instead of registering on', async () => {
  answers.set('/v1/servers', refusal(401, 'token_invalid'));
  await expect(client.listServers()).rejects.toMatchObject({ code: 'token_invalid' });
  const round = ['POST /v1/auth/register', 'GET /v1/servers'];
  expect(requests).toEqual([...round, ...round]);
});

it('holds the limit of the registration against no operation: all wait for it, and no longer', async () => {
  answers.set('/v1/auth/register', refusal(429, 'rate_limited', { retryAfter: 20 }));
  await expect(client.listOnlinePlayers({ serverId: 'northwood-1' })).rejects.toMatchObject({
    code: 'rate_limited',
    body: { retryAfter: 20 },
  });
  await expect(client.listServers()).rejects.toMatchObject({
    code: 'rate_limited',
    body: { retryAfter: 20 },
  });
  expect(requests).toEqual(['POST /v1/auth/register']);
});

it('holds the limit of the live list against that alone', async () => {
  answers.set('/v1/server/northwood-1/players/online', refusal(429, 'rate_limited', { retryAfter: 20 }));
  const live = () => client.listOnlinePlayers({ serverId: 'northwood-1' });
  await expect(live()).rejects.toMatchObject({ code: 'rate_limited', body: { retryAfter: 20 } });
  expect((await client.listServers()).stale).toBe(false);
});

it('keeps two thousand answers at most, and the latest of them', async () => {
  const look = (index: number) => client.listSchedules({ serverId: `s-${index}` });
  for (let from = 0; from <= 2_000; from += 23) {
    await Promise.all(Array.from({ length: Math.min(23, 2_001 - from) }, (_, index) => look(from + index)));
  }
  requests = [];
  await look(2_000);
  expect(requests).toEqual([]);
  await look(0);
  expect(requests).toEqual(['GET /v1/server/s-0/schedules']);
});
