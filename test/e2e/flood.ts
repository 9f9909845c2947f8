import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Flood {
  path: string;
  sockets: number;
  /** How many requests each sends at once. */
  requests: number;
  /** This machine's addresses that the connections come from, in turns. */
  from: readonly string[];
  /** Whether the answers are read. */
  reads: boolean;
}

/** Opens the connections, sends all requests over each in one write, and holds them. Returns them, to be destroyed. */
export async function flood(url: string, { path, sockets, requests, from, reads }: Flood): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(requests));
  const opened = Array.from({ length: sockets }, (_, index) => {
    const localAddress = from[index % from.length] as string;
    return connect({ host: hostname, port: Number(port), localAddress }).on('error', () => undefined);
  });
  await Promise.all(opened.map((socket) => once(socket, 'connect')));
  for (const socket of opened) {
    if (reads) socket.resume();
    else socket.pause();
    socket.write(bytes);
  }
  return opened;
}
