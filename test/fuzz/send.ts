import http from 'node:http';
import { connect } from 'node:net';
import type { Nonsense } from './requests.ts';

/** What came of a request: the statuses that were answered (none when the connection was closed), and how long it took. */
export interface Outcome {
  statuses: number[];
  /** Milliseconds to the first byte of an answer or the end of the connection. */
  ms: number;
  text: string;
}

/** A connection that says nothing for so long is left. */
const patienceMs = 5_000;

export function createSender(url: string): { send(nonsense: Nonsense): Promise<Outcome>; close(): void } {
  const { hostname, port } = new URL(url);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });

  const request = (sent: Extract<Nonsense, { kind: 'request' }>): Promise<Outcome> =>
    new Promise((resolve) => {
      const began = performance.now();
      const end = (statuses: number[], text: string): void =>
        resolve({ statuses, text, ms: performance.now() - began });
      const headers = [['Host', `${hostname}:${port}`], ...sent.headers].flat();
      if (sent.body !== null) headers.push('Content-Length', String(Buffer.byteLength(sent.body)));
      const outgoing = http.request(
        { agent, hostname, port, method: sent.method, path: sent.path, headers, timeout: patienceMs },
        (incoming) => {
          const chunks: Buffer[] = [];
          const done = (): void => end([incoming.statusCode ?? 0], Buffer.concat(chunks).toString('utf8'));
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('end', done);
          incoming.on('error', done);
        },
      );
      // A refused body is cut off while it is still being sent.
      outgoing.on('error', () => end([], ''));
      outgoing.on('timeout', () => outgoing.destroy());
      outgoing.end(sent.body ?? undefined);
    });

  const bytes = (wire: Buffer): Promise<Outcome> =>
    new Promise((resolve) => {
      const began = performance.now();
      let first: number | null = null;
      const chunks: Buffer[] = [];
      const socket = connect(Number(port), hostname);
      socket.setTimeout(patienceMs, () => socket.destroy());
      socket.on('data', (chunk) => {
        first ??= performance.now();
        chunks.push(chunk);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        const text = Buffer.concat(chunks).toString('latin1');
        const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((match) => Number(match[1]));
        resolve({ statuses, text, ms: (first ?? performance.now()) - began });
      });
      socket.end(wire);
    });

  return {
    send: (nonsense) => (nonsense.kind === 'bytes' ? bytes(nonsense.bytes) : request(nonsense)),
    close: () => agent.destroy(),
  };
}
