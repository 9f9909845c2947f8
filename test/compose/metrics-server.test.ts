import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { serveMetrics } from '../../src/compose/metrics-server.ts';
import { createMetrics } from '../../src/server/http/prometheus.ts';

it('says which variable helps where another process of the machine has the port for metrics', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const close = await serveMetrics(createMetrics(), {}, () => undefined, { host: '127.0.0.1', port }, log);
  await close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('something else listens there already');
  expect(lines[0]).toContain('OUTPOST_METRICS_PORT');
  expect(lines[0]).not.toContain('stack');
});
