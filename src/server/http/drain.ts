import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** For so long a closing service goes on taking requests over open connections, telling each caller to close it. */
const farewellMs = 300;
const lookEveryMs = 20;

/** Knows what a closing service still owes. */
export interface Drain {
  /** Counts an answer that takes its time until it is out. One that is written at once need not be counted. */
  track(response: ServerResponse): void;
  closeWith(app: FastifyInstance): void;
}

/**
 * Lets `app.close()` cut nobody off and wait for nobody who says nothing. A request that is on its way over a kept
 * connection would meet a closed one, so those are answered for a moment more; a connection over which no request ever
 * came would hold the server open, so once the last answer is out all are closed.
 */
export function createDrain(): Drain {
  let inFlight = 0;
  const ended = (): void => void (inFlight -= 1);
  const sockets = new Set<Socket>();
  const isUnsent = (): boolean => [...sockets].some(({ writableLength }) => writableLength > 0);

  return {
    track(response) {
      inFlight += 1;
      response.on('close', ended);
    },
    closeWith(app) {
      app.server.on('connection', (socket: Socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
      const closeWhenQuiet = (): void => {
        if (inFlight > 0 || isUnsent()) setTimeout(closeWhenQuiet, lookEveryMs);
        else app.server.closeAllConnections();
      };
      app.addHook('preClose', async () => {
        if ((await openConnections(app.server)) > 0) await delay(farewellMs);
        closeWhenQuiet();
      });
    },
  };
}

async function openConnections(server: Server): Promise<number> {
  return await new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}
