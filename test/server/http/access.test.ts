import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataOperationIds, operations } from '../../../src/api/operations.ts';
import { scopes } from '../../../src/api/access.ts';
import { hashSecret, newSecret } from '../../../src/server/store/credentials.ts';
import { revokeApplication, rotateApplication } from '../../../src/server/store/applications.ts';
import { northwood } from '../../harness/northwood.ts';
import { baseTime, startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService(northwood());
});
afterEach(() => service.close());

const everyPath = dataOperationIds.map((id) => ({
  id,
  path: operations[id].path
    .replace('{serverId}', 'northwood-1')
    .replace('{identifier}', '76561198207985320')
    .replace('{banListId}', 'northwood-bans'),
  scope: operations[id].scope,
  plan: operations[id].plan,
}));

describe.each(everyPath)('$id', ({ path, scope, plan }) => {
  it('answers 401 and names the scheme when no token is sent', async () => {
    const { status, body, headers } = await service.send(path);
    expect([status, body.error]).toEqual([401, 'token_missing']);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('answers 403 when the User-Agent is not the application_id, and says what was sent', async () => {
    const caller = await service.caller('northwood');
    const { status, body } = await caller.get(path, { 'User-Agent': 'my-bot/1.0' });
    expect([status, body.error]).toEqual([403, 'user_agent_mismatch']);
    expect(body.message).toContain('my-bot/1.0');
    expect(body.message).toContain(caller.id);
  });

  it('answers 403 and names the scope that is missing, though the plan includes it', async () => {
    const caller = await service.caller('northwood', { scopes: scopes.filter((held) => held !== scope) });
    const { status, body } = await caller.get(path);
    expect([status, body.error, body.requiredScope]).toEqual([403, 'insufficient_scope', scope]);
  });

  it('asks for the scope before the plan, and for the plan when only that is missing', async () => {
    await service.reconcile(northwood({ plan: 'FREE' }));
    const { status, body } = await (await service.caller('northwood')).get(path);
    if (plan === 'FREE') expect(status).not.toBe(402);
    else expect([status, body.error, body.requiredPlan]).toEqual([402, 'subscription_required', plan]);
    const without = await service.caller('northwood', { scopes: [] });
    expect((await without.get(path)).body.error).toBe('insufficient_scope');
  });

  it('answers 423 while the project is suspended', async () => {
    const caller = await service.caller('northwood');
    await service.reconcile(northwood({ suspended: true }));
    const { status, body } = await caller.get(path);
    expect([status, body.error]).toEqual([423, 'project_suspended']);
  });
});

it.each([
  ['another scheme', 'Basic abc'],
  ['no token after the scheme', 'Bearer'],
  ['a token that was never issued', `Bearer opt_${'A'.repeat(43)}`],
  ['a text that is no token', 'Bearer nonsense'],
])('answers 401 to %s', async (_name, authorization) => {
  const { status, body, headers } = await service.send('/v1/project', {
    headers: { Authorization: authorization },
  });
  expect([status, body.error]).toEqual([401, 'token_invalid']);
  expect(headers.get('www-authenticate')).toContain('Bearer');
});

it('takes a token for 24 hours and not a millisecond longer', async () => {
  const caller = await service.caller('northwood');
  service.clock.now = baseTime + 86_400_000 - 1;
  expect((await caller.get('/v1/project')).status).toBe(200);
  service.clock.now = baseTime + 86_400_000;
  expect((await caller.get('/v1/project')).body.error).toBe('token_invalid');
});

it('refuses every earlier token with the first request after a rotation, and takes new ones', async () => {
  const caller = await service.caller('northwood');
  expect((await caller.get('/v1/project')).status).toBe(200);
  const secret = newSecret();
  await rotateApplication(service.db, caller.id, hashSecret(secret), service.clock.now);
  expect((await caller.get('/v1/project')).body.error).toBe('token_invalid');
  const token = await service.register({ id: caller.id, secret });
  expect((await caller.get('/v1/project', { Authorization: `Bearer ${token}` })).status).toBe(200);
});

it('refuses a revoked application', async () => {
  const caller = await service.caller('northwood');
  await revokeApplication(service.db, caller.id, service.clock.now);
  expect((await caller.get('/v1/project')).body.error).toBe('token_invalid');
});

it('takes the scheme in any case, as HTTP says', async () => {
  const caller = await service.caller('northwood');
  expect((await caller.get('/v1/project', { Authorization: `bEARER ${caller.token}` })).status).toBe(200);
});

it('refuses an application whose project has left the config', async () => {
  const caller = await service.caller('southshore');
  await service.reconcile({ projects: northwood().projects.slice(0, 1) });
  expect((await caller.get('/v1/project')).status).toBe(401);
});
