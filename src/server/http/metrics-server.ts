import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type HeldWork, readinessOf, type Readiness } from './health.ts';
import type { Metrics } from './prometheus.ts';
import { createHttpServer, serverBounds } from './server.ts';

/**
 * Serves the metrics at `/metrics`, on a port of its own so that the service's port never exposes them, and `/healthz` and
 * `/readyz` for processes that have no other port.
 */
export function createMetricsServer(
  metrics: Metrics,
  readiness: Readiness,
  held: HeldWork = () => undefined,
): Server {
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
