import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../config/schema.ts';
import type { HeldWork, Readiness } from '../server/http/health.ts';
import { createMetricsServer } from '../server/http/metrics-server.ts';
import type { Metrics } from '../server/http/prometheus.ts';
import { listenProblems } from './listen.ts';
import { checkAgeSeconds, type Poller } from '../server/live/poller.ts';

/**
 * Serves the metrics on their own port, and there the readiness too, for processes without a service; the result
 * closes it. If the port is taken, the service runs without metrics.
 */
export async function serveMetrics(
  metrics: Metrics,
  readiness: Readiness,
  held: HeldWork,
  { host, port }: NonNullable<Config['http']['metrics']>,
  log: Logger,
): Promise<() => Promise<void>> {
  const server = createMetricsServer(metrics, readiness, held);
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    log.error(
      `cannot serve metrics on ${host}:${port}: ${listenProblems[code] ?? message}. Change http.metrics in the config, or set OUTPOST_METRICS_PORT for this process.`,
    );
    return async () => undefined;
  }
  log.info(`metrics at http://${host}:${(server.address() as AddressInfo).port}/metrics`);
  return async () => {
    server.close();
    server.closeAllConnections();
  };
}

/** Adds the age of each server's last check. */
export function addCheckAges(metrics: Metrics, poller: Poller): void {
  const shares = { median: 0.5, p95: 0.95, max: 1 };
  for (const [name, share] of Object.entries(shares)) {
    const help = `Seconds since servers were last checked: ${name} of all servers.`;
    const age = (): number => checkAgeSeconds(poller.checks(), share);
    metrics.gauge(`outpost_server_check_age_${name}_seconds`, help, age);
  }
}
