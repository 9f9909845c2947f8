import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections: one of those could get a port that is free now, while its
 * server is being started, or stopped for a while.
 */
const [lowest, highest] = [15_000, 32_000];

/** A port of this machine on which nothing listens: the preferred one, or any. */
export async function freePort(preferred?: number): Promise<number> {
  for (let port = preferred; ; port = randomInt(lowest, highest)) {
    if (port !== undefined && (await canListen(port))) return port;
  }
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isFree) await new Promise((resolve) => server.close(resolve));
  return isFree;
}
