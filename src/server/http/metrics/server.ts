import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { listenProblem } from '../../../process/listen-problem.ts';
import { type HeldWork, readinessOf, type Readiness } from '../health.ts';
import { createHttpServer, serverBounds } from '../connections/http-server.ts';
import type { Metrics } from './metrics.ts';

/**
 * Serves the metrics at `/metrics`, on a port of its own so that the service's port never exposes them, and `/healthz` and
 * `/readyz` for processes that have no other port. The result closes it. If the port is taken, the service runs without
 * metrics.
 */
export async function serveMetrics(
  metrics: Metrics,
  readiness: Readiness,
  held: HeldWork,
  { host, port }: { host: string; port: number },
  log: Logger,
): Promise<() => Promise<void>> {
  const server = createMetricsServer(metrics, readiness, held);
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    log.error(
      `cannot serve metrics on ${host}:${port}: ${listenProblem(error)}. Change http.metrics in the config, or set OUTPOST_METRICS_PORT for this process.`,
    );
    return async () => undefined;
  }
  log.info(`metrics at http://${host}:${(server.address() as AddressInfo).port}/metrics`);
  return async () => {
    server.close();
    server.closeAllConnections();
  };
}

export function createMetricsServer(metrics: Metrics, readiness: Readiness, held: HeldWork): Server {
  const answer = async ({ url, method }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const health =
      url === '/healthz' ? { status: 'alive' } : url === '/readyz' ? readinessOf(readiness, held) : null;
    const known = url === '/metrics' || health !== null;
    const readable = method === 'GET' || method === 'HEAD';
    const status = !known ? 404 : !readable ? 405 : health?.status === 'unavailable' ? 503 : 200;
    const refusal = 'The metrics are at /metrics, the state is at /readyz.\n';
    const body =
      !known || !readable ? refusal : health === null ? await metrics.text() : JSON.stringify(health);
    const isJson = known && readable && health !== null;
    response.writeHead(status, {
      'Content-Type': isJson ? 'application/json; charset=utf-8' : 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
    });
    response.end(body);
  };
  return createHttpServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  }, serverBounds);
}
