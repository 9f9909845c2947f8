import { createServer } from 'node:net';

const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses the port',
  EACCES: 'this user may not listen there (ports below 1024 need rights)',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the name does not resolve',
};

/** Why nothing can listen at an address; null: it can. */
export async function listenProblem({ host, port }: { host: string; port: number }): Promise<string | null> {
  const server = createServer();
  return await new Promise((done) => {
    server.once('error', ({ code = '', message }: NodeJS.ErrnoException) =>
      done(listenProblems[code] ?? `cannot listen there: ${message}`),
    );
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(null)));
  });
}
