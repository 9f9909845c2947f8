import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkService } from '../../../../src/cli/checks/service/service-checks.ts';
import { parseConfig } from '../../../../src/config/parse.ts';
import { version } from '../../../../src/process/version.ts';

const file = 'outpost.yaml';
/** Nothing answers on port 1. */
const config = parseConfig('projects: [{ slug: a, name: A, servers: [] }]\nhttp: { port: 1 }\n', file, null, {
  variable: () => undefined,
  file: () => '',
});
const holder = { pid: 1, since: '2026-11-22T10:00:00Z', config: resolve(file), version };

test.each([
  ['on this machine is a problem if it does not answer', hostname(), 'wrong'],
  ['in another container cannot be checked, which is no problem', 'another-container', 'warning'],
])('a service %s', async (_where, host, status) => {
  const findings = await checkService(config, { ...holder, host }, file, false);
  expect(findings.map((finding) => finding.status)).toEqual(['good', status]);
});

test('a service whose database is away is not called damaged', async () => {
  const checks = { store: false, writing: true, poller: true };
  const http = createServer((_request, response) => {
    response.end(JSON.stringify({ status: 'unavailable', checks }));
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => void http.close());
  const { port } = http.address() as AddressInfo;
  const running = { http: { ...config.http, port } };
  const own = { ...holder, host: hostname() };
  const next = async (onPostgres: boolean) =>
    (await checkService(running, own, file, onPostgres)).find(({ status }) => status === 'wrong')?.next;
  expect(await next(true)).toMatch(
    /^the database does not answer: see OUTPOST_STORE_URL; Outpost goes on by itself/,
  );
  expect(await next(false)).toMatch(/^the store is damaged/);
});

test('the metrics port of a running Outpost is not called another program', async () => {
  const metrics = createServer((_request, response) => {
    response.end(JSON.stringify({ status: 'ready', checks: {} }));
  });
  await new Promise<void>((done) => metrics.listen(0, '127.0.0.1', done));
  onTestFinished(() => void metrics.close());
  const { port } = metrics.address() as AddressInfo;
  const http = { ...config.http, port: 0, metrics: { host: '127.0.0.1', port } };
  const ofMetrics = async (onPostgres: boolean) =>
    (await checkService({ http }, null, file, onPostgres)).find(({ key }) => key === 'http.metrics');
  const found = 'an Outpost with another data folder listens there';
  expect(await ofMetrics(true)).toMatchObject({ status: 'good', found });
  expect(await ofMetrics(false)).toMatchObject({ status: 'wrong', found });
});
