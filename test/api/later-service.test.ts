import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { ServiceUnreachableError, type Client } from '../../src/api/client-types.ts';
import { checkRemoteService } from '../../src/cli/checks/service-checks.ts';
import { configSchema } from '../../src/config/schema.ts';
import * as data from '../embeds/contract-data.ts';

/** A service of a later release: what it answers has codes, values and fields that this one does not know. */
let service: Server;
let baseUrl: string;
let client: Client;
let clock: number;
let answer: { status: number; body: unknown };

beforeEach(async () => {
  clock = data.now;
  const token = { token: 't', expiresIn: 86_400, scopes: ['servers:read', 'maps:read'], refreshToken: 'r' };
  const registration = { ...token, tokenType: 'Bearer', expiresAt: new Date(data.now).toISOString() };
  service = createServer((request, response) => {
    request.resume();
    const isRegistration = request.url?.endsWith('/register') === true;
    response.statusCode = isRegistration ? 200 : answer.status;
    response.end(JSON.stringify(isRegistration ? registration : answer.body));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const clocks = { now: () => clock, monotonic: () => clock };
  client = createClient({ baseUrl, applicationId: 'app_1', secret: 'ops_1', maxWaitMs: 0, ...clocks });
});
afterEach(() => {
  service.closeAllConnections();
  service.close();
});

it.each([
  [400, 'cursor_expired', 'invalid_parameters'],
  [401, 'token_replaced', 'token_invalid'],
  [403, 'address_not_allowed', 'insufficient_scope'],
  [410, 'gone', 'invalid_parameters'],
  [429, 'quota_spent', 'rate_limited'],
  [500, 'store_damaged', 'internal_error'],
  [503, 'maintenance', 'service_unavailable'],
  [507, 'disk_full', 'internal_error'],
  [404, 'constructor', 'not_found'],
])('passes on the unknown refusal %i %s, with the code of its status', async (status, error, code) => {
  const details = [{ in: 'cookie', path: 'a', message: 'm', since: 'v2' }];
  const body = { error, message: 'Why.', requestId: 'r', details, requiredPlan: 'ULTRA', retryAfter: 99 };
  answer = { status, body };
  await expect(client.listServers()).rejects.toMatchObject({
    name: 'ServiceError',
    status,
    code,
    ...(status !== 429 && { message: 'Why.', body }),
  });
});

it('gives the last answer for unknown errors of the service’s own, and for no unknown refusal', async () => {
  const again = async (status: number): Promise<unknown> => {
    answer = { status, body: { error: 'unheard_of', message: '', requestId: 'r' } };
    clock += 60_000;
    return (await client.listServers()).stale;
  };
  answer = { status: 200, body: { servers: data.servers } };
  await client.listServers();
  expect([await again(500), await again(503)]).toEqual([true, true]);
  await expect(again(403)).rejects.toThrow();
});

it('reads bans whose categories, targets and fields it does not know, and leaves no ban out', async () => {
  const [target] = data.ban().targets;
  const network = { ...target, type: 'NETWORK' };
  const later = { ...data.ban(), category: 'RAID', targets: [network, target, { ...target, state: 'LATE' }] };
  answer = { status: 200, body: { bans: [data.ban(), { ...later, appealUrl: null }], nextCursor: 'c' } };
  expect((await client.listBans({ banListId: 'b' })).data.bans).toEqual([
    data.ban(),
    { ...data.ban(), category: 'OTHER', targets: [target], appealUrl: null },
  ]);
});

it('reads servers, ban lists and schedules of unknown states, kinds and recurrences', async () => {
  answer = { status: 200, body: { servers: [data.server(), { ...data.server(), status: 'STARTING' }] } };
  const { servers } = (await client.listServers()).data;
  expect(servers.map(({ status }) => status)).toEqual(['ONLINE', 'UNKNOWN']);
  answer = { status: 200, body: { banlists: [{ ...data.banlist(), verificationStatus: 'REVOKED' }] } };
  const { banlists } = (await client.listBanlists()).data;
  expect(banlists.map(({ verificationStatus }) => verificationStatus)).toEqual(['UNVERIFIED']);
  const tournament = { ...data.schedule(), kind: 'TOURNAMENT' };
  const monthly = { ...data.schedule(), recurrence: 'MONTHLY' };
  answer = { status: 200, body: { schedules: [monthly, tournament, { ...monthly, kind: 'RAID' }] } };
  const { schedules } = (await client.listSchedules({ serverId: 's' })).data;
  expect(schedules).toEqual([data.schedule({ kind: 'OTHER' })]);
});

it('reads leaderboards among which there is one that it does not know', async () => {
  const known = [data.leaderboard(['Ann']), data.leaderboard(['Bob'], { metric: 'DEATHS' })];
  const later = { ...data.leaderboard([]), metric: 'LONGEST_SWIM', unit: 'fathoms' };
  answer = { status: 200, body: { leaderboards: [known[0], later, known[1]] } };
  expect((await client.listLeaderboards()).data.leaderboards).toEqual(known);
});

it.each([
  ['no text', { ...data.server(), status: 7 }],
  ['missing', { ...data.server(), status: undefined }],
  ['wrong beside an unknown value', { ...data.server(), status: 'STARTING', players: 'many' }],
])('refuses an answer with a field that is %s', async (_name, server) => {
  answer = { status: 200, body: { servers: [server] } };
  await expect(client.listServers()).rejects.toBeInstanceOf(ServiceUnreachableError);
});

it('is no fault of an installation', async () => {
  answer = { status: 200, body: { servers: [{ ...data.server(), region: 'EU' }] } };
  const remote = { apiUrl: baseUrl, applicationId: 'app_1', secret: 'ops_1' };
  const { discord } = configSchema.parse({ projects: [], discord: {} });
  const [finding] = await checkRemoteService(remote, discord!);
  expect(finding).toMatchObject({ found: expect.stringContaining('does not grant it project:read') });
});
