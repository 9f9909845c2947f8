import http from 'node:http';
import { connect } from 'node:net';
import type { Nonsense } from './nonsense.ts';

/** The statuses that were answered (none when the connection was closed), and the milliseconds until then. */
export interface Outcome {
  statuses: number[];
  text: string;
  ms: number;
}

/** A connection that says nothing for so long is left. */
const patienceMs = 5_000;

export function createSender(url: string): { send(nonsense: Nonsense): Promise<Outcome>; close(): void } {
  const { hostname, port, host } = new URL(url);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const send = async (nonsense: Nonsense): Promise<Outcome> =>
    await new Promise((resolve) => {
      const began = performance.now();
      const chunks: Buffer[] = [];
      const keep = (chunk: Buffer): void => void chunks.push(chunk);
      const end = (status?: number): void => {
        const text = Buffer.concat(chunks).toString('latin1');
        const found = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, code]) => Number(code));
        resolve({ statuses: status === undefined ? found : [status], text, ms: performance.now() - began });
      };
      if ('bytes' in nonsense) {
        const socket = connect(Number(port), hostname)
          .on('data', keep)
          .on('error', () => undefined);
        socket.on('close', () => end()).setTimeout(patienceMs, () => socket.destroy());
        socket.end(nonsense.bytes, 'latin1');
        return;
      }
      const { method, path, body } = nonsense;
      const length = body === null ? [] : ['Content-Length', String(Buffer.byteLength(body))];
      const headers = ['Host', host, ...nonsense.headers.flat(), ...length];
      const request = http.request({ agent, hostname, port, method, path, headers, timeout: patienceMs });
      request.on('response', (answer) => {
        const done = (): void => end(answer.statusCode);
        answer.on('data', keep).on('end', done).on('error', done);
      });
      // A refused body is cut off while it is still being sent.
      request.on('error', () => end()).on('timeout', () => request.destroy());
      request.end(body ?? undefined);
    });
  return { send, close: () => agent.destroy() };
}
