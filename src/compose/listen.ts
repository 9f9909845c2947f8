import type { FastifyInstance } from 'fastify';
import { ConfigError } from '../config/error.ts';
import type { Config } from '../config/schema.ts';

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there already (another Outpost?)',
  EACCES: 'this user may not listen there (ports below 1024 need rights)',
  EADDRNOTAVAIL: 'this machine has no such address',
};

/** Makes the service listen; resolves with its address. @throws ConfigError when the configured place is not to be had */
export async function listen(app: FastifyInstance, { host, port }: Config['http']): Promise<string> {
  try {
    return await app.listen({ host, port, listenTextResolver: (address) => `service listens at ${address}` });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `cannot listen on ${host}:${port}: ${reasons[code] ?? message}. Change http.host or http.port in the config.`,
    );
  }
}
