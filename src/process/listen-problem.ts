import { createServer } from 'node:net';

/** Why a port cannot be used, by the code of the error. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there already (another Outpost?)',
  EACCES: 'this user may not listen there (ports below 1024 need rights)',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the name does not resolve',
};

/** Why a server could not listen, for the owner. */
export function listenProblem(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

/** Why nothing can listen at an address; null: it can. */
export async function findListenProblem(address: { host: string; port: number }): Promise<string | null> {
  const server = createServer();
  return await new Promise((done) => {
    server.once('error', (error) => done(listenProblem(error)));
    server.listen({ ...address, exclusive: true }, () => server.close(() => done(null)));
  });
}
