import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { OpenAnswers } from './open-answers.ts';

/** How long a closing service still accepts requests on open connections, asking each caller to close. */
const lastRequestsMs = 300;
const checkEveryMs = 20;

/**
 * Graceful close: finishes requests in flight, then closes idle connections. A request that is already on its way
 * over a kept-alive connection would find it closed, so such requests are answered for a moment longer. A connection
 * without any request would keep the server open, so all are closed after the last answer.
 */
export function drainOnClose(app: FastifyInstance, openAnswers: OpenAnswers): void {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const isBusy = (socket: Socket): boolean => socket.writableLength > 0 || openAnswers.of(socket).length > 0;
  const closeWhenIdle = (): void => {
    if ([...sockets].some(isBusy)) setTimeout(closeWhenIdle, checkEveryMs);
    else app.server.closeAllConnections();
  };
  app.addHook('preClose', async () => {
    if ((await openConnections(app.server)) > 0) await delay(lastRequestsMs);
    closeWhenIdle();
  });
}

async function openConnections(server: Server): Promise<number> {
  return await new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}
