import assert from 'node:assert/strict';
import { plans, scopes } from '../../../src/api/access.ts';
import { section, type ConformanceCase } from '../case.ts';
import { expectError, expectOk } from '../expectations.ts';
import { dataOperations, liveOperation, type DataOperation } from '../operations.ts';
import { bearer, type OwnService } from '../world/service.ts';

const inToken = section('spec §Authentication / 3 bearer token');
const inUserAgent = section('spec §Authentication / 3 User-Agent');
const inRotation = section('spec §Authentication / 4 rotation');
const inScope = section('spec §Authentication / 5 scope');
const inPlan = section('spec §Authentication / 5 plan');
const inBoth = section('spec §Authentication / 5 both');

const lower = { FREE: 'freehold', LITE: 'litehold', PRO: 'northwood' } as const;
/** Its path in a project that has one server and one list of its own. */
const pathIn = (slug: string, { pathOf, idFact, path }: DataOperation, service: OwnService): string => {
  if (pathOf === undefined || idFact === 'steamId64') return path(service);
  if (slug === 'northwood') return path(service);
  return pathOf(idFact === 'banList' ? `${slug}-bans` : `${slug}-1`);
};
const included = (held: string, operation: DataOperation): boolean =>
  plans.indexOf(held as 'FREE') >= plans.indexOf(operation.plan);

export const authenticationCases: ConformanceCase[] = [
  ...dataOperations.map(({ name, path }) =>
    inToken.any(`${name} without a token answers 401 and names the scheme`, async (service) => {
      const answer = await service.send(path(service), { headers: { 'User-Agent': service.credentials.id } });
      expectError(answer, 'token_missing');
      assert.equal(answer.headers['www-authenticate'], 'Bearer');
    }),
  ),
  ...dataOperations.map(({ name, path }) =>
    inToken.any(`${name} with a token that was never issued answers 401`, async (service) => {
      const headers = bearer(service.credentials.id, `opt_${'A'.repeat(43)}`);
      const answer = await service.send(path(service), { headers });
      expectError(answer, 'token_invalid');
      assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer\b.*error="invalid_token"/);
    }),
  ),
  ...(
    [
      ['another scheme', 'Basic YTpi'],
      ['no token after the scheme', 'Bearer'],
      ['two tokens', 'Bearer a b'],
      ['a text of another form', 'Bearer nonsense'],
      ['a very long text', `Bearer ${'a'.repeat(4_000)}`],
      ['the bare token', null],
      ['a token and one letter more', 'x'],
    ] as const
  ).map(([what, authorization]) =>
    inToken.any(`${what} answers 401`, async (service) => {
      const { id, token } = await service.caller();
      const value =
        authorization === null ? token : authorization === 'x' ? `Bearer ${token}x` : authorization;
      const answer = await service.send('/v1/project', {
        headers: { Authorization: value, 'User-Agent': id },
      });
      expectError(answer, 'token_invalid');
    }),
  ),
  inToken.any('an empty Authorization header counts as none', async (service) => {
    const { id } = service.credentials;
    const answer = await service.send('/v1/project', { headers: { Authorization: '', 'User-Agent': id } });
    expectError(answer, 'token_missing');
  }),
  inToken.any('the scheme is read in any case, as HTTP says', async (service) => {
    const { get, token } = await service.caller();
    for (const scheme of ['bearer', 'BEARER'])
      expectOk(await get('/v1/project', { Authorization: `${scheme} ${token}` }));
  }),
  inToken.any('the token is read letter by letter', async (service) => {
    const { get, token } = await service.caller();
    expectError(
      await get('/v1/project', { Authorization: `Bearer ${token.toUpperCase()}` }),
      'token_invalid',
    );
  }),
  inToken.any('a token in the query is none', async (service) => {
    const { id, token } = await service.caller();
    const answer = await service.send(`/v1/project?access_token=${token}`, { headers: { 'User-Agent': id } });
    expectError(answer, 'token_missing');
  }),
  inToken.own('a token of another application does not go with one’s own User-Agent', async (service) => {
    const [own, other] = [await service.caller(), await service.callerOf('southshore')];
    expectError(
      await own.get('/v1/project', { Authorization: `Bearer ${other.token}` }),
      'user_agent_mismatch',
    );
  }),
  inToken.own('a revoked application has no access from a second later on', async (service) => {
    const caller = await service.freshCaller();
    expectOk(await caller.get('/v1/project'));
    await service.outpost('app', 'revoke', caller.id);
    await service.shown();
    expectError(await caller.get('/v1/project'), 'token_invalid');
  }),
  inToken.own('an application whose project has left the config has no access', async (service) => {
    const caller = await service.callerOf('order');
    const setActive = (active: 0 | 1) =>
      service.db.updateTable('project').set({ active }).where('slug', '=', 'order').execute();
    await setActive(0);
    try {
      expectError(await caller.get('/v1/project'), 'token_invalid');
    } finally {
      await setActive(1);
    }
    await service.shown();
    expectOk(await caller.get('/v1/project'));
  }),
  inToken.own(
    'tokens are valid after the secret was used again, and after another’s rotation',
    async (service) => {
      const [caller, other] = [await service.freshCaller(), await service.freshCaller()];
      await service.register(caller);
      await service.outpost('app', 'rotate', other.id);
      expectOk(await caller.get('/v1/project'));
    },
  ),

  ...dataOperations.flatMap(({ name, path }) => [
    inUserAgent.any(
      `${name} with another User-Agent answers 403, says what was sent and what is expected`,
      async (service) => {
        const { get, id } = await service.caller();
        const { message } = expectError(
          await get(path(service), { 'User-Agent': 'my-bot/1.0' }),
          'user_agent_mismatch',
        );
        assert.ok(message.includes('my-bot/1.0') && message.includes(id), `got: ${message}`);
      },
    ),
    inUserAgent.any(`${name} without a User-Agent answers 403`, async (service) => {
      const { get } = await service.caller();
      expectError(await get(path(service), { 'User-Agent': undefined }), 'user_agent_mismatch');
    }),
  ]),
  inUserAgent.any(
    'must be equal: in another case, with more around it, or in part it is refused',
    async (service) => {
      const { get, id } = await service.caller();
      for (const agent of [id.toUpperCase(), `${id}/1.0`, `bot ${id}`, id.slice(0, -1), ''])
        expectError(await get('/v1/project', { 'User-Agent': agent }), 'user_agent_mismatch');
    },
  ),

  inRotation.own('the new secret obtains a token, the former one no longer', async (service) => {
    const caller = await service.freshCaller();
    const rotated = await service.outpost('app', 'rotate', caller.id);
    const body = JSON.stringify({ application_id: caller.id, secret: caller.secret });
    const answer = await service.send('/v1/auth/register', {
      method: 'POST',
      headers: { 'User-Agent': caller.id },
      body,
    });
    expectError(answer, 'invalid_credentials');
    const token = await service.register({ id: caller.id, secret: rotated['secret'] as string });
    expectOk(await service.send('/v1/project', { headers: bearer(caller.id, token) }));
  }),
  inRotation.own('every token issued before is void, however many there were', async (service) => {
    const caller = await service.freshCaller();
    const tokens = [caller.token, await service.register(caller), await service.register(caller)];
    await service.outpost('app', 'rotate', caller.id);
    for (const token of tokens)
      expectError(await service.send('/v1/project', { headers: bearer(caller.id, token) }), 'token_invalid');
  }),

  ...dataOperations.flatMap((operation) => {
    const { name, scope, plan, path } = operation;
    return [
      inScope.own(`${name} opens with ${scope} alone`, async (service) => {
        const caller = await service.callerOf('northwood', { scopes: [scope] });
        expectOk(await caller.get(path(service)));
      }),
      inScope.own(
        `${name} without ${scope} answers 403 and names it, though every other is held`,
        async (service) => {
          const caller = await service.callerOf('northwood', {
            scopes: scopes.filter((held) => held !== scope),
          });
          const { requiredScope } = expectError(await caller.get(path(service)), 'insufficient_scope');
          assert.equal(requiredScope, scope);
        },
      ),
      ...plans.map((held) =>
        inPlan.own(
          `${name} on the plan ${held}: ${included(held, operation) ? 'included' : `402, needs ${plan}`}`,
          async (service) => {
            const caller = await service.callerOf(lower[held]);
            const answer = await caller.get(pathIn(lower[held], operation, service));
            if (!included(held, operation)) {
              const { requiredPlan } = expectError(answer, 'subscription_required');
              assert.equal(requiredPlan, plan);
            } else if (held === 'PRO') expectOk(answer);
            // In the small projects nobody is known and no server has a query port.
            else assert.ok([200, 404, 409].includes(answer.status), `expected access, got ${answer.text}`);
          },
        ),
      ),
      inBoth.own(
        `${name}: with neither the scope nor, where it counts, the plan, the scope is named`,
        async (service) => {
          const caller = await service.callerOf('freehold', { scopes: [] });
          expectError(await caller.get(pathIn('freehold', operation, service)), 'insufficient_scope');
        },
      ),
    ];
  }),
  inBoth.own('a scope never opens a function that the plan does not include', async (service) => {
    const caller = await service.callerOf('freehold', { scopes: ['leaderboards:read', 'schedules:read'] });
    expectError(await caller.get('/v1/leaderboards'), 'subscription_required');
    expectError(await caller.get('/v1/server/freehold-1/schedules'), 'subscription_required');
  }),
  inBoth.own('a plan does not open a function whose scope is not granted', async (service) => {
    const caller = await service.callerOf('northwood', { scopes: ['project:read'] });
    for (const operation of dataOperations.filter(({ scope }) => scope !== 'project:read'))
      expectError(await caller.get(operation.path(service)), 'insufficient_scope');
    assert.equal((await caller.get(liveOperation.path(service))).body.requiredScope, 'players:read');
  }),
];
