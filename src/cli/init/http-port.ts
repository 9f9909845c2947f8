import { once } from 'node:events';
import { createServer } from 'node:net';

/** The config's default. */
export const usualHttpPort = 8080;
const tries = 50;

/** The usual port of the service, or the next one that no other program uses. */
export async function freeHttpPort(): Promise<number> {
  for (let port = usualHttpPort; port < usualHttpPort + tries; port++) if (await isFree(port)) return port;
  return usualHttpPort;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
