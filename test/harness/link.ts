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
  /** As a network does whose far end has gone: nothing arrives any more, and nobody says so. New connections neither. */
  swallow(): void;
  /** New connections work again. Those from before `swallow` stay silent until they are closed. */
  mend(): void;
}

/** Listens on a port of its own and hands everything on to `target`. */
export async function startLink(target: string): Promise<Link> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let state: 'whole' | 'cut' | 'silent' = 'whole';
  /** Ends what each connection carries, and leaves its near end open. */
  const silencers = new Set<() => void>();
  const server = createServer((near) => {
    if (state === 'cut') return void near.destroy();
    if (state === 'silent') {
      sockets.add(near);
      near.on('error', () => undefined).on('close', () => sockets.delete(near));
      return void near.resume();
    }
    const far = connect(Number(port), hostname);
    let isSilent = false;
    const silence = (): void => {
      isSilent = true;
      far.destroy();
    };
    silencers.add(silence);
    near.on('close', () => silencers.delete(silence));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        if (!isSilent || other === far) other.destroy();
      });
    }
    far.pipe(near, { end: false });
    far.on('end', () => isSilent || near.end());
    const hand = async (piece: Buffer): Promise<void> => {
      await delay(link.delayMs);
      if (!isSilent) far.write(piece);
    };
    near.on('data', (piece: Buffer) => void hand(piece));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link: Link = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delayMs: 0,
    cut() {
      state = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    swallow() {
      state = 'silent';
      for (const silence of silencers) silence();
    },
    mend() {
      state = 'whole';
    },
    async [Symbol.asyncDispose]() {
      link.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return link;
}
