import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ConfigError } from '../config/error.ts';
import type { Config } from '../config/schema.ts';
import { listenProblem } from '../process/listen-problem.ts';

/**
 * Makes the service listen; resolves with its address. @throws ConfigError when the configured address is not
 * available
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: Config['http'],
  log: Logger,
): Promise<string> {
  // Fastify calls this for each address on which it listens; it has no logger of its own here.
  const listenTextResolver = (address: string): string => {
    const text = `service listens at ${address}`;
    log.info(text);
    return text;
  };
  try {
    return await app.listen({ host, port, listenTextResolver });
  } catch (error) {
    throw new ConfigError(
      `cannot listen on ${host}:${port}: ${listenProblem(error)}. Change http.host or http.port in the config, or set OUTPOST_HTTP_HOST or OUTPOST_HTTP_PORT for this process.`,
    );
  }
}
