import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { PacedConnection } from './paced-connection.ts';

/** How long a closing service still accepts requests on open connections, asking each caller to close. */
const lastRequestsMs = 300;
const checkEveryMs = 20;

/**
 * Graceful close: finishes requests in flight, then closes idle connections. A request that is already on its way
 * over a kept-alive connection would find it closed, so such requests are answered for a moment longer. A connection
 * without any request would keep the server open, so all are closed after the last answer.
 */
export function drainOnClose(app: FastifyInstance): void {
  const connections = new Set<PacedConnection>();
  app.server.on('connection', (connection: PacedConnection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  const closeWhenIdle = (): void => {
    if ([...connections].some(({ isBusy }) => isBusy)) setTimeout(closeWhenIdle, checkEveryMs);
    else app.server.closeAllConnections();
  };
  app.addHook('preClose', async () => {
    if (connections.size > 0) await delay(lastRequestsMs);
    closeWhenIdle();
  });
}
