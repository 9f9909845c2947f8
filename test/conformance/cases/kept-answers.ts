import assert from 'node:assert/strict';
import { scopes } from '../../../src/api/access.ts';
import { hashSecret, newSecret } from '../../../src/server/store/repositories/applications/credentials.ts';
import { rotateApplication } from '../../../src/server/store/repositories/applications/applications.ts';
import { section, type ConformanceCase } from '../case.ts';
import { expectError, expectOk } from '../expectations.ts';
import { dataOperations, liveOperation } from '../operations.ts';
import type { Caller } from '../world/service.ts';
import { setOrder } from './states.ts';

const { own, clock } = section('spec §Authentication / 5 also for answers that the service may have kept');

const kept = dataOperations.filter(({ name }) => name !== liveOperation.name);
const askedOften = 4;

export const keptAnswerCases: ConformanceCase[] = [
  ...kept.map(({ name, path, scope }) =>
    clock(`${name}, just served to one, is refused to whoever may not have it`, async (service) => {
      const [owner, keeper] = [await service.freshCaller(), await service.freshCaller()];
      const scopeless = await service.callerOf('northwood', {
        scopes: scopes.filter((held) => held !== scope),
      });
      const spent = await service.callerOf('northwood', { requestsPerMinute: 1 });
      for (let index = 0; index < askedOften; index += 1) expectOk(await owner.get(path(service)));
      await spent.get(path(service));

      // More than once, after another was served: whatever the service keeps of either, it has it by then.
      const refuse = async (
        caller: Caller,
        code: string,
        headers: Record<string, string | undefined> = {},
      ): Promise<void> => {
        for (let index = 0; index < askedOften; index += 1) {
          expectOk(await keeper.get(path(service)));
          expectError(await caller.get(path(service), headers), code);
        }
      };
      await refuse(owner, 'token_missing', { Authorization: undefined });
      await refuse(owner, 'token_invalid', { Authorization: `Bearer ${owner.token}x` });
      await refuse(owner, 'user_agent_mismatch', { 'User-Agent': spent.id });
      await refuse(owner, 'user_agent_mismatch', { 'User-Agent': undefined });
      await refuse(scopeless, 'insufficient_scope');
      await refuse(spent, 'rate_limited');
      await rotateApplication(service.db, owner.id, hashSecret(newSecret()), Date.now());
      await service.shown();
      await refuse(owner, 'token_invalid');
    }),
  ),
  own('a suspension and a lower plan count a second later, on what was just served', async (service) => {
    const caller = await service.callerOf('order');
    const path = '/v1/server/order-1/schedules';
    for (let index = 0; index < askedOften; index += 1) expectOk(await caller.get(path));
    try {
      await setOrder(service, { suspended: 1 });
      await service.shown();
      expectError(await caller.get(path), 'project_suspended');
      await setOrder(service, { plan: 'FREE' });
      await service.shown();
      expectError(await caller.get(path), 'subscription_required');
    } finally {
      await setOrder(service, {});
    }
    await service.shown();
    expectOk(await caller.get(path));
  }),
  own('one project’s answer is never another’s', async (service) => {
    const [north, south] = [await service.freshCaller(), await service.callerOf('southshore')];
    for (const path of ['/v1/project', '/v1/servers', '/v1/banlists', '/v1/leaderboards']) {
      for (let index = 0; index < askedOften; index += 1) {
        const [own, other] = [await north.get(path), await south.get(path)];
        assert.notEqual(own.text, other.text, path);
        assert.ok(!other.text.includes('orthwood'), path);
      }
    }
    for (let index = 0; index < askedOften; index += 1) {
      expectOk(await north.get('/v1/server/northwood-1'));
      expectError(await south.get('/v1/server/northwood-1'), 'not_found');
    }
  }),
  clock('a token that expires is refused on what it was just served', async (service) => {
    const caller = await service.freshCaller();
    service.clock.now += 86_400_000 - 1_000;
    for (let index = 0; index < askedOften; index += 1) expectOk(await caller.get('/v1/project'));
    service.clock.now += 1_000;
    expectError(await caller.get('/v1/project'), 'token_invalid');
  }),
  own('what another process commits is in the answers of a second later', async (service) => {
    const caller = await service.freshCaller();
    try {
      for (let index = 0; index < 3; index += 1) {
        const name = `Chernarus ${index}`;
        await service.db.updateTable('server').set({ name }).where('id', '=', 'northwood-1').execute();
        await service.shown();
        assert.equal(expectOk(await caller.get('/v1/server/northwood-1')).server.name, name);
        assert.equal(expectOk(await caller.get('/v1/servers')).servers[0].name, name);
      }
    } finally {
      await service.db
        .updateTable('server')
        .set({ name: 'Northwood | Chernarus' })
        .where('id', '=', 'northwood-1')
        .execute();
    }
  }),
  own('a spelling of the same request gets the same answer', async (service) => {
    const { get } = await service.freshCaller();
    const { text } = await get('/v1/leaderboards?metric=DEATHS&limit=10');
    for (const query of ['limit=10&metric=DEATHS', 'metric=deaths', 'metric=%44EATHS&limit=010'])
      assert.equal((await get(`/v1/leaderboards?${query}`)).text, text, query);
    assert.notEqual((await get('/v1/leaderboards?metric=DEATHS&limit=9')).text, text);
  }),
];
