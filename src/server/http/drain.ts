import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { OpenAnswers } from './open-answers.ts';

/** For this long a closing service goes on taking requests over open connections, asking each caller to close it. */
const lastRequestsMs = 300;
const checkEveryMs = 20;

/**
 * Graceful close: finishes requests in flight, then closes idle connections. A request that is on its way over a kept
 * connection would meet a closed one, so those are answered for a moment more; a connection over which no request ever
 * came would hold the server open, so once the last answer is out all are closed.
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
