import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { createMetricsServer, serveMetrics } from '../../../../src/server/http/metrics/server.ts';
import { createMetrics } from '../../../../src/server/http/metrics/metrics.ts';

let stop = (): void => undefined;
afterEach(() => stop());

let port = 0;

async function serve(
  readiness: Record<string, () => boolean>,
): Promise<(path: string, method?: string) => Promise<Response>> {
  const server = createMetricsServer(createMetrics(), readiness);
  stop = () => server.close();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  return async (path, method = 'GET') => await fetch(`http://127.0.0.1:${port}${path}`, { method });
}

it('tells a supervisor whether a process without a service is alive and ready', async () => {
  let works = false;
  const ask = await serve({ poller: () => works });
  expect((await ask('/healthz')).status).toBe(200);
  const unready = await ask('/readyz');
  expect(unready.status).toBe(503);
  expect(await unready.json()).toEqual({ status: 'unavailable', checks: { poller: false } });
  works = true;
  const ready = await ask('/readyz');
  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({ status: 'ready', checks: { poller: true } });
});

it('serves nothing else, and only to readers', async () => {
  const ask = await serve({});
  expect((await ask('/v1/servers')).status).toBe(404);
  const refused = await ask('/readyz', 'POST');
  expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  expect(await (await ask('/metrics')).text()).toContain('process_resident_memory_bytes');
});

it.each([
  ['127.0.0.1:9464', 200],
  ['localhost', 200],
  ['[::1]:9464', 200],
  ['rebound.example', 403],
  ['rebound.example:9464', 403],
  ['127.0.0.1.rebound.example', 403],
])('on this machine, answers a browser that asks for the host "%s" with %i', async (host, status) => {
  await serve({});
  for (const path of ['/metrics', '/readyz']) {
    const [answer] = (await once(get({ port, path, headers: { host } }), 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(status);
  }
});

it('takes no notice of parameters, which a scraper may send', async () => {
  const ask = await serve({});
  const answer = await ask('/metrics?format=prometheus');
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await answer.text()).toContain('process_resident_memory_bytes');
  expect((await ask('/readyz?verbose')).status).toBe(200);
});

it('says which variable helps where another process of the machine has the port for metrics', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const close = await serveMetrics(createMetrics(), {}, { host: '127.0.0.1', port }, log);
  await close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('something else listens there already');
  expect(lines[0]).toContain('OUTPOST_METRICS_PORT');
  expect(lines[0]).not.toContain('stack');
});
