import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { section, type ConformanceCase } from '../case.ts';
import { expectOk } from '../expectations.ts';

const { any, own } = section('design §3 / Secrets');
const inEtag = section('design §3 / Limits / ETag');

export const secretCases: ConformanceCase[] = [
  own('ids, secrets and tokens have their prefixes and 32 random bytes', async (service) => {
    const created = await service.outpost(
      'app',
      'create',
      '--project',
      'northwood',
      '--name',
      'Prefixes',
      '--scopes',
      'all',
    );
    const { application_id: applicationId, secret } = created as { application_id: string; secret: string };
    const token = await service.register({ id: applicationId, secret });
    assert.match(applicationId, /^app_[A-Za-z0-9_-]{43}$/);
    assert.match(secret, /^ops_[A-Za-z0-9_-]{43}$/);
    assert.match(token, /^opt_[A-Za-z0-9_-]{43}$/);
  }),
  own('only the SHA-256 of a secret is stored', async (service) => {
    const { id, secret } = await service.application('northwood');
    const row = await service.db
      .selectFrom('application')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.ok(!JSON.stringify(row).includes(secret));
    assert.equal(row.secret_hash, createHash('sha256').update(secret).digest('hex'));
  }),
  any('no data answer holds a secret, a token or an address of the inside', async (service) => {
    const { get, token, secret } = await service.caller();
    for (const path of ['/v1/project', '/v1/servers', '/v1/banlists', '/v1/leaderboards']) {
      const { text } = await get(path);
      for (const hidden of [token, secret, 'secretHash', 'secret_hash']) assert.ok(!text.includes(hidden));
    }
  }),

  inEtag.any(
    'answers carry an ETag, and If-None-Match with it answers 304 without a body',
    async (service) => {
      const { get } = await service.caller();
      for (const path of ['/v1/project', '/v1/servers', '/v1/leaderboards', '/v1/banlists']) {
        const first = await get(path);
        const { etag } = first.headers;
        assert.match(etag ?? '', /^(W\/)?"[^"]+"$/, `${path}: expected an ETag`);
        const again = await get(path, { 'If-None-Match': etag });
        // The state of a server may have been checked in between.
        if (again.status === 200) assert.notEqual(again.headers['etag'], etag);
        else assert.deepEqual([again.status, again.text], [304, '']);
      }
    },
  ),
  inEtag.any('a 304 carries the ETag and the rate limit, and spends a request', async (service) => {
    const { get } = await service.caller();
    const { headers } = await get('/v1/project');
    const left = Number(headers['x-ratelimit-remaining']);
    const { status, headers: second } = await get('/v1/project', { 'If-None-Match': headers['etag'] });
    assert.equal(status, 304);
    assert.equal(second['etag'], headers['etag']);
    assert.equal(second['ratelimit-policy'], headers['ratelimit-policy']);
    assert.equal(Number(second['x-ratelimit-remaining']), left - 1);
  }),
  inEtag.any('If-None-Match reads lists, weak tags and *', async (service) => {
    const { get } = await service.caller();
    const { etag = '' } = (await get('/v1/project')).headers;
    const strong = etag.replace(/^W\//, '');
    for (const value of [`"nothing", ${etag}`, `W/${strong}`, '*'])
      assert.equal((await get('/v1/project', { 'If-None-Match': value })).status, 304, value);
    for (const value of ['"nothing"', strong.replaceAll('"', ''), ''])
      assert.equal((await get('/v1/project', { 'If-None-Match': value })).status, 200, value);
  }),
  inEtag.any('the ETag depends on the body, not on the token', async (service) => {
    const [first, second] = [await service.freshCaller(), await service.freshCaller()];
    const tags = [await first.get('/v1/project'), await second.get('/v1/project')].map(
      ({ headers }) => headers['etag'],
    );
    assert.equal(tags[0], tags[1]);
  }),
  inEtag.own('the ETag changes when the body does, and another project’s does not match', async (service) => {
    const [north, south] = [await service.caller(), await service.callerOf('southshore')];
    const { etag } = (await north.get('/v1/project')).headers;
    assert.equal((await south.get('/v1/project', { 'If-None-Match': etag })).status, 200);
    const rename = (name: string) =>
      service.db.updateTable('project').set({ name }).where('slug', '=', 'northwood').execute();
    await rename('Southwood');
    await service.shown();
    try {
      const answer = await north.get('/v1/project', { 'If-None-Match': etag });
      assert.equal(expectOk(answer).project.name, 'Southwood');
    } finally {
      await rename('Northwood');
    }
    await service.shown();
    assert.equal((await north.get('/v1/project')).headers['etag'], etag);
  }),
  inEtag.any('a 304 needs the same access as a 200', async (service) => {
    const caller = await service.caller();
    const { etag = '' } = (await caller.get('/v1/project')).headers;
    const answer = await service.send('/v1/project', {
      headers: { 'If-None-Match': etag, 'User-Agent': caller.id },
    });
    assert.equal(answer.status, 401);
    assert.equal((await caller.get('/v1/project', { 'If-None-Match': etag, 'User-Agent': 'x' })).status, 403);
  }),
];
