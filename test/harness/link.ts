import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A line to a service, which can be slow or cut. */
export interface Link extends AsyncDisposable {
  url: string;
  /** Each piece of a request waits this long. */
  delayMs: number;
  /** Cuts everything, and lets nothing through until it is mended. */
  cut(): void;
  mend(): void;
}

/** Listens on a port of its own and hands everything on to `target`. */
export async function startLink(target: string): Promise<Link> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let whole = true;
  const server = createServer((near) => {
    if (!whole) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    far.pipe(near);
    const hand = async (piece: Buffer): Promise<void> => {
      await delay(link.delayMs);
      far.write(piece);
    };
    near.on('data', (piece: Buffer) => void hand(piece));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link: Link = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delayMs: 0,
    cut() {
      whole = false;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      whole = true;
    },
    async [Symbol.asyncDispose]() {
      link.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return link;
}
