import assert from 'node:assert/strict';
import { section, type ConformanceCase } from '../case.ts';
import { expectError, expectOk } from '../expectations.ts';
import { dataOperations, liveOperation } from '../operations.ts';

const { any, own, clock } = section('spec §What the service does');
const inReadOnly = section('spec §What the service does / read-only');

const writing = ['POST', 'PUT', 'PATCH', 'DELETE'];

export const serviceCases: ConformanceCase[] = [
  ...dataOperations.map(({ name, path }) =>
    inReadOnly.any(`${name}: POST, PUT, PATCH and DELETE answer 405 with Allow`, async (service) => {
      const { headers } = await service.caller();
      for (const method of writing) {
        const answer = await service.send(path(service), { method, headers, body: '{}' });
        expectError(answer, 'method_not_allowed');
        const allowed = (answer.headers['allow'] ?? '').split(', ');
        assert.ok(
          allowed.includes('GET') && allowed.includes('HEAD'),
          `expected Allow to name GET and HEAD, got ${allowed.join()}`,
        );
        for (const other of writing)
          assert.ok(!allowed.includes(other), `expected Allow not to name ${other}`);
      }
    }),
  ),
  inReadOnly.any(
    'POST /v1/auth/register: GET, PUT, PATCH and DELETE answer 405 with Allow: POST',
    async (service) => {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await service.send('/v1/auth/register', {
          method,
          headers: { 'User-Agent': service.credentials.id },
        });
        expectError(answer, 'method_not_allowed');
        assert.match(answer.headers['allow'] ?? '', /^POST(, OPTIONS)?$/);
      }
    },
  ),
  inReadOnly.own('no operation changes what is stored', async (service) => {
    const tables = [
      'project',
      'server',
      'schedule',
      'ban_list',
      'ban',
      'player',
      'player_alias',
      'player_stats',
    ] as const;
    const stored = async () =>
      JSON.stringify(
        await Promise.all(tables.map((table) => service.db.selectFrom(table).selectAll().execute())),
      );
    const before = await stored();
    const caller = await service.freshCaller();
    for (const operation of dataOperations) expectOk(await caller.get(operation.path(service)));
    assert.equal(await stored(), before);
  }),

  own('an application sees only the servers of its project', async (service) => {
    const { get } = await service.callerOf('southshore');
    const { servers } = expectOk(await get('/v1/servers'));
    assert.deepEqual(
      servers.map(({ id }: { id: string }) => id),
      ['southshore-1'],
    );
  }),
  own('an application sees only the project it belongs to', async (service) => {
    const { get } = await service.callerOf('southshore');
    const { project } = expectOk(await get('/v1/project'));
    assert.deepEqual([project.slug, project.name], ['southshore', 'Southshore']);
  }),
  own('an application sees only the ban lists of its project', async (service) => {
    const { get } = await service.callerOf('southshore');
    const { banlists } = expectOk(await get('/v1/banlists'));
    assert.deepEqual(
      banlists.map(({ id }: { id: string }) => id),
      ['southshore-bans'],
    );
  }),
  own('an application sees only the leaderboards of its project', async (service) => {
    const { get } = await service.callerOf('southshore');
    const { leaderboards } = expectOk(await get('/v1/leaderboards?metric=PLAYER_KILLS&limit=100'));
    const rows = leaderboards[0].rows as { value: number; player: { name: string } }[];
    assert.deepEqual(
      rows.map(({ value, player }) => [value, player.name]),
      [[9_999, 'Stranger']],
    );
    const north = expectOk(
      await (await service.caller()).get('/v1/leaderboards?metric=PLAYER_KILLS&limit=100'),
    );
    assert.doesNotMatch(JSON.stringify(north), /Stranger/);
  }),
  own('an application finds only the players of its project', async (service) => {
    const south = await service.callerOf('southshore');
    expectOk(await south.get(`/v1/player/${service.fact('foreignPlayer')}`));
    expectError(await south.get(`/v1/player/${service.fact('steamId64')}`), 'not_found');
  }),
  any('an application obtains a bearer token by sending its identifier and its secret', async (service) => {
    const { get } = await service.freshCaller();
    expectOk(await get('/v1/project'));
  }),
  clock('the token is valid for 24 hours, to the last millisecond', async (service) => {
    const caller = await service.freshCaller();
    service.clock.now += 86_400_000 - 1;
    expectOk(await caller.get('/v1/project'));
    service.clock.now += 1;
    expectError(await caller.get('/v1/project'), 'token_invalid');
  }),
  clock('a token expires on every operation', async (service) => {
    const caller = await service.freshCaller();
    service.clock.now += 86_400_000;
    for (const operation of dataOperations)
      expectError(await caller.get(operation.path(service)), 'token_invalid');
  }),
  ...dataOperations.map(({ name, path, keys, mayHave = [] }) =>
    any(`${name} answers 200 with JSON of exactly ${keys.join(', ')}`, async (service) => {
      const caller = name === liveOperation.name ? await service.freshCaller() : await service.caller();
      const body = expectOk(await caller.get(path(service)));
      const sent = Object.keys(body).filter((key) => !mayHave.includes(key));
      assert.deepEqual(sent.toSorted(), [...keys].toSorted());
    }),
  ),
];
