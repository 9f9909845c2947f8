import { listenProblem } from '../listen-problem.ts';

/** The config's default. */
const usualHttpPort = 8080;
const tries = 50;

/** The usual port of the service, or the next one that no other program uses. */
export async function freeHttpPort(): Promise<number> {
  for (let port = usualHttpPort; port < usualHttpPort + tries; port++)
    if ((await listenProblem({ host: '127.0.0.1', port })) === null) return port;
  return usualHttpPort;
}
