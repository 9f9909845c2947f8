import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { listenProblem } from '../../../process/listen-problem.ts';
import { noStore, type Answer } from '../answers/answer.ts';
import { healthAnswers, type Readiness } from '../health.ts';
import { isLoopback, plainAddress } from '../connections/client-address.ts';
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
  { host, port }: { host: string; port: number },
  log: Logger,
): Promise<() => Promise<void>> {
  const server = createMetricsServer(metrics, readiness);
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

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

const paths = 'The metrics are at /metrics, the state is at /readyz.';
const ownNames = 'On this machine the metrics are at localhost or 127.0.0.1, and at no other name.';

const refusal = (status: number, text = paths, headers: readonly string[] = []): Answer => ({
  status,
  headers: [...noStore, ...headers, 'Content-Type', 'text/plain; charset=utf-8'],
  body: `${text}\n`,
});

/**
 * Whether a browser may be asking for another site, which let its name resolve to this machine (DNS rebinding): then the Host
 * header has that name. A port that the owner opened to a network has whatever name the owner gave it.
 */
function isRebound({ headers: { host }, socket }: IncomingMessage): boolean {
  if (host === undefined || !isLoopback(plainAddress(socket.remoteAddress))) return false;
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
  return name.toLowerCase() !== 'localhost' && isIP(name) === 0;
}

export function createMetricsServer(metrics: Metrics, readiness: Readiness): Server {
  const answers: Readonly<Record<string, () => Promise<Answer>>> = {
    ...healthAnswers(() => readiness),
    '/metrics': async () => ({
      status: 200,
      headers: [...noStore, 'Content-Type', metricsType],
      body: await metrics.text(),
    }),
  };
  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    if (isRebound(request)) return refusal(403, ownNames);
    const { url = '', method = '' } = request;
    // A scraper may send parameters.
    const answer = answers[url.split('?', 1)[0] as string];
    if (answer === undefined) return refusal(404);
    return /^(GET|HEAD)$/.test(method) ? await answer() : refusal(405, paths, ['Allow', 'GET, HEAD']);
  };
  return createHttpServer((request, response) => {
    answerTo(request).then(
      ({ status, headers, body }) => response.writeHead(status, [...headers]).end(body),
      () => response.destroy(),
    );
  }, serverBounds);
}
