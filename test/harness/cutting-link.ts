import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server on this machine, which is cut again and again. */
export interface CuttingLink extends AsyncDisposable {
  port: number;
  /** How often it was cut. */
  cuts: number;
  /** Bytes that it carried, in both directions. */
  bytes: number;
  /** After so many bytes from the server the next connections are cut; infinite: never. */
  nextCut: () => number;
}

export async function startCuttingLink(target: number, nextCut: () => number): Promise<CuttingLink> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    let left = link.nextCut();
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    near.pipe(far);
    near.on('data', ({ length }: Buffer) => (link.bytes += length));
    far.on('data', (piece: Buffer) => {
      near.write(piece.subarray(0, Math.max(0, Math.min(left, piece.length))));
      link.bytes += piece.length;
      left -= piece.length;
      if (left >= 0) return;
      link.cuts += 1;
      near.destroySoon();
      far.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link: CuttingLink = {
    port: (server.address() as AddressInfo).port,
    cuts: 0,
    bytes: 0,
    nextCut,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
  return link;
}
