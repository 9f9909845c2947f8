import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** As callers do: connections stay open, and are used again. */
const agent = new Agent({ keepAlive: true });

/** Closes them: a service that stops would wait a moment for what may still come. */
export function hangUp(): void {
  agent.destroy();
}

/** One request as it is written, its answer as it came: nothing added, decoded or followed. */
export async function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; path?: string } = {},
): Promise<WireAnswer> {
  return await new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}

/** Sends bytes over one connection and reads until the service closes it. */
export async function talk(url: string, ...pieces: (string | Buffer)[]): Promise<string> {
  return await exchange(url, (socket) => {
    for (const piece of pieces) socket.write(piece);
  });
}

/** The same with a pause before each further piece, so that the service reads them one by one. */
export async function talkSlowly(url: string, pieces: readonly string[]): Promise<string> {
  return await exchange(url, async (socket) => {
    for (const piece of pieces) {
      socket.write(piece);
      await delay(50);
    }
  });
}

async function exchange(url: string, write: (socket: Socket) => void | Promise<void>): Promise<string> {
  const { hostname, port } = new URL(url);
  return await new Promise((resolve) => {
    let said = '';
    const socket = connect(Number(port), hostname);
    socket.on('data', (data) => (said += data.toString('latin1')));
    // A service that has said no may reset what is still being sent.
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(said));
    void write(socket);
  });
}
