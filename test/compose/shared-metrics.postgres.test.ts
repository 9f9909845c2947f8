import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../src/api/access.ts';
import { compose } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema.ts';
import { createApplication } from '../../src/server/store/repositories/applications/applications.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../../src/server/store/repositories/applications/credentials.ts';
import { withoutDiscord } from '../harness/environment.ts';
import { openNewDatabase } from '../harness/new-store.ts';
import { temporaryFolder } from '../server/ingest/fixture.ts';

test('the metrics of a process on a shared store count batches', async () => {
  const store = await openNewDatabase({ busyTimeoutMs: 10_000 });
  onTestFinished(store.close);
  const lines: string[] = [];
  const outpost = await compose({
    config: configSchema.parse({
      http: { port: 0, metrics: { port: 0 } },
      projects: [{ slug: 'p', name: 'P' }],
    }),
    roles: ['api'],
    environment: withoutDiscord(join(temporaryFolder(), 'data'), { storeUrl: store.location }),
    log: pino({}, { write: (line: string) => void lines.push(line) }),
  });
  onTestFinished(outpost.close);
  const [address = ''] = /http:\S+\/metrics/.exec(lines.join('')) ?? [];
  const metrics = async (): Promise<Map<string, number>> => {
    const text = await (await fetch(address)).text();
    return new Map(
      [...text.matchAll(/^(outpost_limit\S*) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
    );
  };
  const before = await metrics();
  expect(before.get('outpost_limit_batch_requests_count')).toBe(0);

  const [id, secret] = [newApplicationId(), newSecret()];
  const application = { id, projectSlug: 'p', name: 'test', secretHash: hashSecret(secret), scopes };
  await createApplication(store.db, application, Date.now());
  const registered = await fetch(`${outpost.url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'User-Agent': id },
    body: JSON.stringify({ application_id: id, secret }),
  });
  const { token } = (await registered.json()) as { token: string };
  const headers = { Authorization: `Bearer ${token}`, 'User-Agent': id };
  const counted = (await metrics()).get('outpost_limit_batch_requests_sum') ?? NaN;
  await Promise.all(Array.from({ length: 20 }, () => fetch(`${outpost.url}/v1/project`, { headers })));
  const after = await metrics();
  const calls = after.get('outpost_limit_batch_requests_count');
  expect(after.get('outpost_limit_batch_requests_sum')).toBe(counted + 20);
  expect(calls).toBeGreaterThan(0);
  for (const series of [
    'requests_bucket{le="+Inf"}',
    'duration_seconds_bucket{le="+Inf"}',
    'duration_seconds_count',
  ]) {
    expect(after.get(`outpost_limit_batch_${series}`)).toBe(calls);
  }
  expect(after.get('outpost_limit_batch_duration_seconds_sum')).toBeGreaterThan(0);
});
