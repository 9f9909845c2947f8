import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** For so long a closing service goes on taking requests over open connections, telling each caller to close it. */
const farewellMs = 300;
const lookEveryMs = 20;

/**
 * Lets `app.close()` cut nobody off and wait for nobody who says nothing. A request that is on its way over a kept
 * connection would meet a closed one, so those are answered for a moment more; a connection over which no request ever
 * came would hold the server open, so once the last answer is out all are closed.
 */
export function drainOnClose(app: FastifyInstance): void {
  let inFlight = 0;
  const ended = (): void => void (inFlight -= 1);
  app.server.on('request', (_request, response) => {
    inFlight += 1;
    response.on('close', ended);
  });
  const closeWhenQuiet = (): void => {
    if (inFlight > 0) setTimeout(closeWhenQuiet, lookEveryMs);
    else app.server.closeAllConnections();
  };
  app.addHook('preClose', async () => {
    if ((await openConnections(app.server)) > 0) await delay(farewellMs);
    closeWhenQuiet();
  });
}

async function openConnections(server: Server): Promise<number> {
  return await new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}
