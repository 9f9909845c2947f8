import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkPublicUrl, checkService } from '../../../src/cli/checks/service-checks.ts';
import { parseConfig } from '../../harness/parse-config.ts';
import { version } from '../../../src/process/version.ts';
import { freePort } from '../../../src/demo/free-port.ts';
import { selfSigned } from '../../../packages/game-files/test/servers/certificate.ts';

const file = 'outpost.yaml';
/** Nothing answers on port 1. */
const config = parseConfig('projects: [{ slug: a, name: A, servers: [] }]\nhttp: { port: 1 }\n', file);
const holder = { pid: 1, since: '2026-11-22T10:00:00Z', config: resolve(file), version };

test('a service that does not answer is a problem', async () => {
  const findings = await checkService(config, { ...holder, host: hostname() }, file, false);
  expect(findings.map((finding) => finding.status)).toEqual(['good', 'wrong']);
});

test('a service whose database is away names the database', async () => {
  const checks = { store: false, writing: true, poller: true };
  const http = createServer((_request, response) => {
    response.end(JSON.stringify({ status: 'unavailable', checks }));
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => void http.close());
  const { port } = http.address() as AddressInfo;
  const running = { http: { ...config.http, port } };
  const own = { ...holder, host: hostname() };
  const found = async (onPostgres: boolean) =>
    (await checkService(running, own, file, onPostgres)).find(({ status }) => status === 'wrong')?.found;
  expect(await found(true)).toBe('not ready: database');
  expect(await found(false)).toBe('not ready: store');
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
  expect(await ofMetrics(true)).toMatchObject({ status: 'good', found: 'another Outpost listens there' });
  expect(await ofMetrics(false)).toMatchObject({
    status: 'wrong',
    found: 'something else listens there already (another Outpost?)',
  });
});

test('an address under which nothing answers says why, as a proxy with a bad certificate does', async () => {
  expect(await checkPublicUrl(`http://127.0.0.1:${await freePort()}`)).toMatchObject({
    status: 'warning',
    found: expect.stringMatching(/^no answer from this machine: .*ECONNREFUSED/),
  });
  const https = createTlsServer(selfSigned('localhost'), (_request, response) => void response.end());
  await new Promise<void>((done) => https.listen(0, '127.0.0.1', done));
  onTestFinished(() => void https.close());
  const { port } = https.address() as AddressInfo;
  expect(await checkPublicUrl(`https://localhost:${port}`)).toMatchObject({
    status: 'warning',
    found: 'no answer from this machine: self-signed certificate',
  });
});
