import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server on this machine on which every byte arrives late, as between two machines. */
export interface DelayingLink {
  port: number;
  /** Pieces that came from this side: a client that waits for each answer has one round trip for each. */
  sent: number;
  close(): Promise<void>;
}

/** @param delayMs of each direction; pieces keep their order and do not wait for each other */
export async function startDelayingLink(target: number, delayMs: number): Promise<DelayingLink> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    near.on('data', () => (link.sent += 1));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      // Timers of one duration end in the order in which they were set.
      const later = (work: () => void): void => void (delayMs === 0 ? work() : setTimeout(work, delayMs));
      from.on('data', (piece: Buffer) => later(() => to.write(piece)));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        later(() => to.destroy());
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link: DelayingLink = {
    port: (server.address() as AddressInfo).port,
    sent: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
  return link;
}
