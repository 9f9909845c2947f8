import assert from 'node:assert/strict';
import { section, type ConformanceCase } from '../case.ts';
import type { Answer } from '../exchange.ts';
import { expectError, expectInvalid, expectOk } from '../expectations.ts';
import { registration } from '../resources.ts';
import { object } from '../shapes.ts';
import { bearer, type Credentials, type Service } from '../world/service.ts';

const { any, own } = section('spec §Endpoints / POST /v1/auth/register');
const inDesign = section('design §3 / Register');

interface Parts {
  query?: Record<string, string>;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

const post = (service: Service, { id }: Credentials, { query, body, headers }: Parts): Promise<Answer> =>
  service.send(`/v1/auth/register${query ? `?${new URLSearchParams(query).toString()}` : ''}`, {
    method: 'POST',
    headers: { 'User-Agent': id, ...headers },
    ...(body === undefined ? {} : { body }),
  });
const json = (fields: Record<string, unknown>): string => JSON.stringify(fields);

/** Expects a token that opens something. */
async function expectToken(service: Service, { id }: Credentials, answer: Answer): Promise<void> {
  const { token } = expectOk(answer);
  expectOk(await service.send('/v1/project', { headers: bearer(id, token) }));
}

const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'text/plain;charset=UTF-8',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'nonsense',
  '',
];

/** An application of the case's own where there can be one: tokens per application are limited. */
const someone = async (service: Service): Promise<Credentials> =>
  'application' in service
    ? await (service as unknown as { application(project: string): Promise<Credentials> }).application(
        'northwood',
      )
    : service.credentials;

export const registerCases: ConformanceCase[] = [
  any('a JSON body with application_id and secret obtains a token', async (service) => {
    const { id, secret } = await someone(service);
    const headers = { 'Content-Type': 'application/json' };
    await expectToken(
      service,
      { id, secret },
      await post(service, { id, secret }, { body: json({ application_id: id, secret }), headers }),
    );
  }),
  any('query parameters alone obtain a token', async (service) => {
    const { id, secret } = await someone(service);
    await expectToken(
      service,
      { id, secret },
      await post(service, { id, secret }, { query: { application_id: id, secret } }),
    );
  }),
  any('an empty body beside query parameters obtains a token', async (service) => {
    const { id, secret } = await someone(service);
    const parts = {
      query: { application_id: id, secret },
      body: '',
      headers: { 'Content-Type': 'application/json' },
    };
    await expectToken(service, { id, secret }, await post(service, { id, secret }, parts));
  }),
  any('one field in the body and one in the query obtain a token', async (service) => {
    const { id, secret } = await someone(service);
    const parts = { query: { application_id: id }, body: json({ secret }) };
    await expectToken(service, { id, secret }, await post(service, { id, secret }, parts));
    const turned = { query: { secret }, body: json({ application_id: id }) };
    await expectToken(service, { id, secret }, await post(service, { id, secret }, turned));
  }),
  any('both at once: the body wins over the query', async (service) => {
    const { id, secret } = await someone(service);
    const query = { application_id: id, secret: 'ops_wrong' };
    await expectToken(
      service,
      { id, secret },
      await post(service, { id, secret }, { query, body: json({ application_id: id, secret }) }),
    );
    const parts = { query: { application_id: id, secret }, body: json({ secret: 'ops_wrong' }) };
    expectError(await post(service, { id, secret }, parts), 'invalid_credentials');
  }),
  ...contentTypes.map((type) =>
    inDesign.any(`a JSON body is read with Content-Type "${type}"`, async (service) => {
      const { id, secret } = await someone(service);
      const parts = { body: json({ application_id: id, secret }), headers: { 'Content-Type': type } };
      await expectToken(service, { id, secret }, await post(service, { id, secret }, parts));
    }),
  ),
  inDesign.any('a JSON body is read without a Content-Type', async (service) => {
    const { id, secret } = await someone(service);
    await expectToken(
      service,
      { id, secret },
      await post(service, { id, secret }, { body: json({ application_id: id, secret }) }),
    );
  }),
  inDesign.any('a form is read', async (service) => {
    const { id, secret } = await someone(service);
    const body = new URLSearchParams({ application_id: id, secret }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    await expectToken(service, { id, secret }, await post(service, { id, secret }, { body, headers }));
  }),
  inDesign.any('a byte-order mark and line ends around the JSON do not matter', async (service) => {
    const { id, secret } = await someone(service);
    const body = `\u{FEFF}\r\n${json({ application_id: id, secret })}\n`;
    await expectToken(service, { id, secret }, await post(service, { id, secret }, { body }));
  }),
  inDesign.any('fields that the body has besides do not matter', async (service) => {
    const { id, secret } = await someone(service);
    const body = json({ application_id: id, secret, grant_type: 'client_credentials' });
    await expectToken(service, { id, secret }, await post(service, { id, secret }, { body }));
  }),
  inDesign.any(
    'the answer holds token, tokenType, expiresIn, expiresAt and scopes, and nothing else',
    async (service) => {
      const { id, secret } = await someone(service);
      const before = Date.now();
      const body = expectOk(
        await post(service, { id, secret }, { body: json({ application_id: id, secret }) }),
      );
      object(registration)(body, 'registration');
      if (!('clock' in service)) {
        const left = Date.parse(body.expiresAt) - before;
        assert.ok(Math.abs(left - 86_400_000) < 60_000, `expected 24 hours, got ${left} ms`);
      }
    },
  ),
  inDesign.clock('expiresAt is 24 hours from now', async (service) => {
    const { id, secret } = await someone(service);
    const body = expectOk(
      await post(service, { id, secret }, { body: json({ application_id: id, secret }) }),
    );
    assert.equal(Date.parse(body.expiresAt), service.clock.now + 86_400_000);
  }),
  inDesign.own('scopes are those that the application holds', async (service) => {
    const { id, secret } = await service.application('northwood', {
      scopes: ['servers:read', 'players:read'],
    });
    const body = expectOk(
      await post(service, { id, secret }, { body: json({ application_id: id, secret }) }),
    );
    assert.deepEqual(body.scopes.toSorted(), ['players:read', 'servers:read']);
  }),
  inDesign.any('the answer is not to be stored by caches', async (service) => {
    const { id, secret } = await someone(service);
    const answer = await post(service, { id, secret }, { body: json({ application_id: id, secret }) });
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['etag'], undefined);
  }),
  inDesign.any('every registration makes another token, and the earlier ones stay valid', async (service) => {
    const { id, secret } = await someone(service);
    const tokens = [await service.register({ id, secret }), await service.register({ id, secret })];
    assert.notEqual(tokens[0], tokens[1]);
    for (const token of tokens) expectOk(await service.send('/v1/project', { headers: bearer(id, token) }));
  }),
  inDesign.any('an unknown application and a wrong secret answer alike', async (service) => {
    const { id, secret } = await someone(service);
    const wrong = await post(
      service,
      { id, secret },
      { body: json({ application_id: id, secret: `${secret}x` }) },
    );
    const nobody = { id: `app_${'A'.repeat(43)}`, secret };
    const unknown = await post(service, nobody, { body: json({ application_id: nobody.id, secret }) });
    for (const answer of [wrong, unknown]) expectError(answer, 'invalid_credentials');
    const { requestId: _, ...first } = wrong.body;
    const { requestId: __, ...second } = unknown.body;
    assert.deepEqual(first, second);
  }),
  any('the User-Agent must carry the application_id: another answers 403 and says both', async (service) => {
    const { id, secret } = await someone(service);
    const parts = { body: json({ application_id: id, secret }), headers: { 'User-Agent': 'curl/8.0' } };
    const { message } = expectError(await post(service, { id, secret }, parts), 'user_agent_mismatch');
    assert.ok(message.includes('curl/8.0') && message.includes(id));
  }),
  any('no User-Agent answers 403', async (service) => {
    const { id, secret } = await someone(service);
    const body = json({ application_id: id, secret });
    expectError(await service.send('/v1/auth/register', { method: 'POST', body }), 'user_agent_mismatch');
  }),
  ...(
    [
      ['nothing at all', undefined, 'application_id'],
      ['no secret', '{"application_id":"x"}', 'secret'],
      ['no application_id', '{"secret":"x"}', 'application_id'],
      ['a secret that is a number', '{"application_id":"x","secret":5}', 'secret'],
      ['an application_id that is a list', '{"application_id":["x"],"secret":"x"}', 'application_id'],
      ['a secret that is null', '{"application_id":"x","secret":null}', 'secret'],
      ['an empty secret', '{"application_id":"x","secret":""}', 'secret'],
      ['broken JSON', '{"application_id":', ''],
      ['a JSON list', '[]', ''],
      ['a JSON text', '"x"', ''],
      ['JSON null', 'null', ''],
      ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x00, 0x7b]), ''],
    ] as const
  ).map(([what, body, path]) =>
    any(`${what} answers 400 and says what was expected`, async (service) => {
      const answer = await post(service, { id: 'x', secret: '' }, body === undefined ? {} : { body });
      expectInvalid(answer, 'body', path);
    }),
  ),
  inDesign.any('an empty secret in the query answers 400 and says that it was there', async (service) => {
    const query = { application_id: 'x', secret: '' };
    expectInvalid(await post(service, { id: 'x', secret: '' }, { query }), 'query', 'secret');
    const besides = await post(
      service,
      { id: 'x', secret: '' },
      { query, body: json({ application_id: 5 }) },
    );
    expectInvalid(besides, 'query', 'secret');
  }),
  inDesign.any('the body wins over a query that would be refused alone', async (service) => {
    const { id, secret } = await someone(service);
    const parts = { query: { application_id: '', secret: '' }, body: json({ application_id: id, secret }) };
    await expectToken(service, { id, secret }, await post(service, { id, secret }, parts));
  }),
  any('an unknown query parameter answers 400', async (service) => {
    const { id, secret } = await someone(service);
    const parts = { query: { application_id: id, secret, scope: 'all' } };
    expectInvalid(await post(service, { id, secret }, parts), 'query', 'scope');
  }),
  any('what an error says of the body does not quote the secret', async (service) => {
    const { id, secret } = await someone(service);
    const answer = await post(
      service,
      { id, secret },
      { body: `{"application_id":"${id}","secret":"${secret}"` },
    );
    expectError(answer, 'invalid_parameters');
    assert.ok(!answer.text.includes(secret));
  }),
  own('a body of more than 16 KiB answers 413', async (service) => {
    const { id, secret } = service.credentials;
    const body = json({ application_id: id, secret, more: 'x'.repeat(20_000) });
    expectError(await post(service, service.credentials, { body }), 'payload_too_large');
  }),
  own('a compressed body answers 415', async (service) => {
    const { id, secret } = service.credentials;
    const parts = { body: json({ application_id: id, secret }), headers: { 'Content-Encoding': 'gzip' } };
    expectError(await post(service, service.credentials, parts), 'unsupported_media_type');
  }),
  own('the secret is shown only when the application is created or rotated', async (service) => {
    const created = await service.outpost(
      'app',
      'create',
      '--project',
      'northwood',
      '--name',
      'Shown',
      '--scopes',
      'all',
    );
    const rotated = await service.outpost('app', 'rotate', created['application_id'] as string);
    for (const { secret } of [created, rotated]) assert.match(secret as string, /^ops_/);
    const listed = JSON.stringify(await service.outpost('app', 'list'));
    for (const { secret } of [created, rotated]) assert.ok(!listed.includes(secret as string));
    assert.ok(listed.includes(created['application_id'] as string));
  }),
  inDesign.clock(
    'guessing is answered 429 before long, with Retry-After, and the owner is let in afterwards',
    async (service) => {
      const { id, secret } = await service.application('northwood');
      let refused: Answer | undefined;
      for (let guess = 0; guess < 200 && refused === undefined; guess += 1) {
        const answer = await post(
          service,
          { id, secret },
          { body: json({ application_id: id, secret: `ops_${guess}` }) },
        );
        if (answer.status === 429) refused = answer;
        else expectError(answer, 'invalid_credentials');
      }
      assert.ok(refused, 'expected guesses to be refused with 429');
      const { retryAfter } = expectError(refused, 'rate_limited');
      assert.equal(refused.headers['retry-after'], String(retryAfter));
      service.clock.now += retryAfter * 1_000;
      await service.register({ id, secret });
    },
  ),
];
