/** What a failed connection means for an owner, by the code of its error. */
const meanings: Readonly<Record<string, (host: string, port: number) => string>> = {
  ENOTFOUND: (host) => `no host is called ${host}`,
  EAI_AGAIN: (host) => `the name ${host} cannot be looked up now`,
  ECONNREFUSED: (host, port) => `nothing accepts connections at ${host}, port ${port}`,
  ECONNRESET: (host, port) => `${host} closed the connection at port ${port}`,
  ETIMEDOUT: (host, port) => `${host} does not answer at port ${port}`,
  EHOSTUNREACH: (host) => `${host} cannot be reached from this machine`,
  ENETUNREACH: (host) => `this machine has no network that leads to ${host}`,
};

/** Why a connection failed, in plain words with the code; other errors keep their message. */
export function networkProblem(error: unknown, { host, port }: { host: string; port: number }): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  return meaning === undefined ? message : `${meaning(host, port)} (${code})`;
}
