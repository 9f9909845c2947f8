import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keyv } from 'keyv';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createClientAddress } from '../../../../src/server/http/connections/client-address.ts';
import { newApplicationId } from '../../../../src/server/store/repositories/applications/credentials.ts';
import { createTokens, openTokenKey, type TokenGrant } from '../../../../src/server/http/access/tokens.ts';
import { northwood } from '../../../harness/northwood.ts';
import { openValuesOf } from '../../../harness/small-values.ts';
import type { SmallValues } from '../../../../src/server/store/engine/small-values.ts';
import { startTestService, type Caller, type TestService } from '../../../harness/service.ts';

let service: TestService;
let caller: Caller;
beforeEach(async () => {
  service = await startTestService(northwood(), { parts: { trustProxy: ['127.0.0.1'] } });
  caller = await service.caller('northwood');
});
afterEach(() => service.close());

const forged = `opt_${'A'.repeat(43)}`;
const from = (address: string, token = forged, path = '/v1/servers') =>
  service.send(path, { headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': address } });

it('slows an address that sends bad tokens, and lets a valid one from there through', async () => {
  for (let index = 0; index < 60; index += 1) expect((await from('203.0.113.9')).status).toBe(401);
  const refused = await from('203.0.113.9');
  expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited']);
  expect(refused.headers.get('retry-after')).toBe(String(refused.body.retryAfter));
  expect(refused.headers.get('ratelimit-policy')).toBe('"unauthorized";q=60;w=60');
  expect((await caller.get('/v1/servers', { 'X-Forwarded-For': '203.0.113.9' })).status).toBe(200);
  expect((await from('203.0.113.10')).status).toBe(401);
  service.clock.now += 60_000;
  expect((await from('203.0.113.9')).status).toBe(401);
});

it('counts by the caller on the documentation page, too', async () => {
  const statuses = [];
  for (let index = 0; index < 61; index += 1) {
    const response = await fetch(`${service.url}/docs/try/v1/servers`, {
      headers: {
        Authorization: `Bearer ${forged}`,
        'X-Forwarded-For': '203.0.113.9',
        'X-Application-Id': newApplicationId(),
      },
    });
    statuses.push(response.status);
    await response.text();
  }
  expect(statuses.slice(-2)).toEqual([401, 429]);
  expect((await from('203.0.113.10')).status).toBe(401);
});

it('never slows this machine', async () => {
  for (let index = 0; index < 70; index += 1) {
    const { status } = await service.send('/v1/servers', { headers: { Authorization: 'Bearer nonsense' } });
    expect(status).toBe(401);
  }
});

it.each([
  ['trusted', '127.0.0.1', { 'X-Forwarded-For': '127.0.0.1' }],
  ['trusted', '127.0.0.1', { 'X-Forwarded-For': '127.0.0.1, unknown' }],
  ['trusted', '127.0.0.1', { Forwarded: 'for=127.0.0.1' }],
  ['not trusted', '10.0.0.1', { 'X-Forwarded-For': '203.0.113.9' }],
])('slows the callers of a proxy on this machine that is %s (%s, %o)', async (_name, trusted, sent) => {
  await service.close();
  service = await startTestService(northwood(), { parts: { trustProxy: [trusted] } });
  const statuses = [];
  for (let index = 0; index < 61; index += 1) {
    const headers = { Authorization: `Bearer ${forged}`, ...sent } as Record<string, string>;
    statuses.push((await service.send('/v1/servers', { headers })).status);
  }
  expect(statuses.slice(-2)).toEqual([401, 429]);
});

it('warns once about a proxy on this machine that is not trusted', async () => {
  const warnings = (): string[] => service.logged.filter((line) => line.includes('http.trustProxy'));
  await from('203.0.113.9');
  expect(warnings()).toEqual([]);
  await service.close();
  service = await startTestService(northwood(), { parts: {} });
  for (let index = 0; index < 3; index += 1) await from('203.0.113.9');
  expect(warnings()).toHaveLength(1);
});

it.each([
  ['on this machine', '127.0.0.1', [], true],
  ['in a container', '::ffff:172.18.0.5', [], true],
  ['in this network', '192.168.1.2', ['127.0.0.1'], true],
  ['in this network, by IPv6', 'fd00::5', [], true],
  ['in a trusted network', '172.18.0.5', ['172.16.0.0/12'], false],
  ['anywhere: it may be a caller who sends the header', '203.0.113.9', [], false],
])('names a proxy that is not trusted, %s', (_name, remoteAddress, trusted, isNamed) => {
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  const addressOf = createClientAddress(trusted, log);
  const socket = { remoteAddress } as Socket;
  for (let times = 0; times < 2; times += 1)
    addressOf({ headers: { 'x-forwarded-for': '198.51.100.7' }, socket });
  const named = `add ${remoteAddress.replace('::ffff:', '')} to http.trustProxy`;
  expect(warnings).toEqual(isNamed ? [expect.stringContaining(named)] : []);
});

async function openKeys(): Promise<SmallValues> {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-keys-'));
  const keys = await openValuesOf(folder);
  onTestFinished(async () => {
    await keys.close();
    await rm(folder, { recursive: true });
  });
  return keys;
}

/** Tokens over a store that counts its reads. */
async function countedTokens(keys: SmallValues, store: Map<string, unknown>) {
  let reads = 0;
  const grants = new Keyv<TokenGrant>({ store });
  const get = grants.get.bind(grants);
  grants.get = (async (key: string) => {
    reads += 1;
    return await get(key);
  }) as typeof grants.get;
  const tokens = createTokens(grants, Date.now, await openTokenKey(keys));
  return { tokens, reads: () => reads };
}

it('refuses a forged token without asking the store, and knows one that another process issued', async () => {
  const [keys, store] = [await openKeys(), new Map<string, unknown>()];
  const one = await countedTokens(keys, store);
  const other = await countedTokens(keys, store);
  const { token } = await one.tokens.issue('app_x', 1);
  expect(token).toMatch(/^opt_[\w-]{43}$/);
  const first = token.startsWith('opt_B') ? 'C' : 'B';
  const last = token.endsWith('A') ? 'E' : 'A';
  for (const bad of [
    forged,
    `${token.slice(0, -1)}${last}`,
    `opt_${first}${token.slice(5)}`,
    `${token}x`,
    '',
  ])
    expect(await other.tokens.find(bad)).toBeNull();
  expect(other.reads()).toBe(0);
  expect((await other.tokens.find(token))?.grant.applicationId).toBe('app_x');
  expect(other.reads()).toBe(1);
});
