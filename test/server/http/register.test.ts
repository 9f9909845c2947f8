import { afterEach, beforeEach, expect, it } from 'vitest';
import { northwood } from '../../harness/northwood.ts';
import {
  startTestService,
  type Credentials,
  type TestResponse,
  type TestService,
} from '../../harness/service.ts';

let service: TestService;
let app: Credentials;
beforeEach(async () => {
  service = await startTestService(northwood());
  app = await service.application('northwood', { scopes: ['project:read', 'servers:read'] });
});
afterEach(() => service.close());

function post(
  body: string | undefined,
  {
    query = '',
    userAgent = app.id,
    headers = {},
  }: { query?: string; userAgent?: string; headers?: Record<string, string> } = {},
): Promise<TestResponse> {
  return service.send(`/v1/auth/register${query}`, {
    method: 'POST',
    headers: { 'User-Agent': userAgent, ...headers },
    // A Blob without a type is sent without a Content-Type.
    ...(body === undefined ? {} : { body: new Blob([body]) }),
  });
}

const json = (id: unknown, secret: unknown): string => JSON.stringify({ application_id: id, secret });

it('answers with a bearer token for 24 hours and the granted scopes, not to be stored by caches', async () => {
  const { status, body, headers } = await post(json(app.id, app.secret));
  expect(status).toBe(200);
  expect(body).toEqual({
    token: expect.stringMatching(/^opt_[\w-]{43}$/),
    tokenType: 'Bearer',
    expiresIn: 86_400,
    expiresAt: '2026-03-02T12:00:00.000Z',
    scopes: ['project:read', 'servers:read'],
  });
  expect(headers.get('cache-control')).toBe('no-store');
});

it.each(['application/json', 'text/plain', 'application/octet-stream'])(
  'reads a JSON body sent as %s',
  async (type) => {
    expect((await post(json(app.id, app.secret), { headers: { 'Content-Type': type } })).status).toBe(200);
  },
);

it('reads a form', async () => {
  const form = new URLSearchParams({ application_id: app.id, secret: app.secret }).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect((await post(form, { headers })).status).toBe(200);
});

it('reads query parameters, and lets the body win over them', async () => {
  const query = `?${new URLSearchParams({ application_id: app.id, secret: app.secret }).toString()}`;
  expect((await post(undefined, { query })).status).toBe(200);
  expect((await post(JSON.stringify({ secret: 'wrong' }), { query })).body.error).toBe('invalid_credentials');
  const half = `?${new URLSearchParams({ application_id: app.id, secret: 'wrong' }).toString()}`;
  expect((await post(JSON.stringify({ secret: app.secret }), { query: half })).status).toBe(200);
});

it('answers alike to a wrong secret and to an unknown application', async () => {
  const wrong = await post(json(app.id, 'ops_wrong'));
  const unknown = await post(json('app_unknown', app.secret), { userAgent: 'app_unknown' });
  for (const { status, body } of [wrong, unknown])
    expect([status, body.error]).toEqual([403, 'invalid_credentials']);
  expect(wrong.body.message).toBe(unknown.body.message);
});

it('needs the User-Agent to be the application_id', async () => {
  const { status, body } = await post(json(app.id, app.secret), { userAgent: 'curl/8' });
  expect([status, body.error]).toEqual([403, 'user_agent_mismatch']);
  expect(body.message).toContain('curl/8');
});

it.each([
  ['nothing', undefined, ['application_id', 'secret']],
  ['a missing secret', '{"application_id":"x"}', ['secret']],
  ['a secret that is a number', '{"application_id":"x","secret":5}', ['secret']],
  ['broken JSON', '{"application_id":', ['']],
  ['a JSON list', '[]', ['']],
])('answers 400 to %s and says what was expected', async (_name, body, paths) => {
  const answer = await post(body);
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_parameters']);
  expect(answer.body.details.map((detail: { path: string }) => detail.path)).toEqual(paths);
});

it('answers 413 to a body that no credentials need, and 415 to a compressed one', async () => {
  expect((await post('x'.repeat(20_000))).body.error).toBe('payload_too_large');
  const headers = { 'Content-Encoding': 'gzip' };
  expect((await post(json(app.id, app.secret), { headers })).body.error).toBe('unsupported_media_type');
});

it('answers 423 to right credentials while the project is suspended', async () => {
  await service.reconcile(northwood({ suspended: true }));
  expect((await post(json(app.id, app.secret))).body.error).toBe('project_suspended');
  expect((await post(json(app.id, 'wrong'))).body.error).toBe('invalid_credentials');
});

it('slows guessing down without ever locking the owner out', async () => {
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    expect((await post(json(app.id, `guess-${attempt}`))).status).toBe(403);
  }
  const refused = await post(json(app.id, 'guess-11'));
  expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBe(refused.body.retryAfter);
  expect((await post(json(app.id, app.secret))).status).toBe(200);
  service.clock.now += 60_000;
  expect((await post(json(app.id, 'guess-12'))).status).toBe(403);
});

it('logs neither secrets nor tokens, in the body or in the query', async () => {
  const { body } = await post(json(app.id, app.secret));
  const query = `?${new URLSearchParams({ application_id: app.id, secret: app.secret }).toString()}`;
  await post(undefined, { query });
  await post(`{"secret":"${app.secret}"`, {});
  const log = service.logged.join('');
  expect(log).toContain('"operation":"register"');
  expect(log).not.toContain(app.secret);
  expect(log).not.toContain(body.token);
});
