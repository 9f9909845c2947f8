import { Agent, request } from 'node:http';

/** Requests of one caller over one connection, one after the other. */
export interface Caller {
  /** Sends one request and reads its answer; milliseconds. @throws Error when the status is not the expected one */
  time(path: string, expected?: number): Promise<number>;
  /** The same for a registration; hands over the token. */
  register(credentials: { id: string; secret: string }): Promise<{ ms: number; token: string }>;
  use(headers: Record<string, string>): void;
  close(): void;
}

/** @param localAddress of this machine, such as 127.0.0.2; left out: the usual one */
export function createCaller(url: string, localAddress?: string): Caller {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 1,
    ...(localAddress !== undefined && { localAddress }),
  });
  let own: Record<string, string> = {};

  const send = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<{ ms: number; status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const sent = request(url + path, { method, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.once('end', () => {
          resolve({ ms: performance.now() - startedAt, status: response.statusCode ?? 0, text });
        });
      });
      sent.once('error', reject);
      sent.end(body);
    });

  return {
    async time(path, expected = 200) {
      const { ms, status, text } = await send('GET', path, own);
      if (status !== expected) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`);
      return ms;
    },
    async register({ id, secret }) {
      const headers = { 'User-Agent': id, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ application_id: id, secret });
      const { ms, status, text } = await send('POST', '/v1/auth/register', headers, body);
      if (status !== 200) throw new Error(`registering answered ${status}: ${text.slice(0, 300)}`);
      const { token } = JSON.parse(text) as { token: string };
      return { ms, token };
    },
    use: (headers) => void (own = headers),
    close: () => agent.destroy(),
  };
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value below which `share` of them lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}
