// The callers of processes.ts and projects.ts, in a process of their own: connections on which one request follows the
// other, each any of the given ones.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Load {
  requests: { url: string; headers: Record<string, string> }[];
  connections: number;
  /** Before each request of a connection; default 0. */
  pauseMs?: number;
  /** When to end. */
  seconds?: number;
  /** After how many requests to end. */
  count?: number;
}
export interface LoadResult {
  /** Milliseconds of each request. */
  times: number[];
  seconds: number;
}

const agent = new Agent({ keepAlive: true });

function send({ url, headers }: Load['requests'][number]): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    });
    sent.once('error', reject);
    sent.end();
  });
}

process.on(
  'message',
  ({ requests, connections, pauseMs = 0, seconds = Infinity, count = Infinity }: Load) => {
    const startedAt = performance.now();
    const until = startedAt + seconds * 1000;
    const times: number[] = [];
    const call = async (): Promise<void> => {
      while (performance.now() < until && times.length < count) {
        if (pauseMs > 0) await sleep(pauseMs);
        const at = performance.now();
        await send(requests[Math.floor(Math.random() * requests.length)] as Load['requests'][number]);
        times.push(performance.now() - at);
      }
    };
    void Promise.all(Array.from({ length: connections }, call)).then(() =>
      process.send?.({ times, seconds: (performance.now() - startedAt) / 1000 } satisfies LoadResult),
    );
  },
);
