import { createServer } from 'node:net';

/** Why a port cannot be used, by the code of the error. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there already (another Outpost?)',
  EACCES: 'this user may not listen there (ports below 1024 need rights)',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the name does not resolve',
};

/** Any user may listen on any port there, but Hyper-V, WSL and Docker reserve ranges of ports. */
const reservedOnWindows =
  'Windows or another program has reserved this port (netsh interface ipv4 show excludedportrange tcp)';

/** Why a server could not listen, for the owner. */
export function listenProblem(error: unknown, platform = process.platform): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' && platform === 'win32') return reservedOnWindows;
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
