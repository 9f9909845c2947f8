import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Lets a process be asked how much it holds; to be set before it starts. */
export const inspectable = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

export interface Inspected {
  /** Bytes in use after everything that nobody holds was collected: heap and buffers. */
  held(): Promise<number>;
  close(): void;
}

/** Asks a process through its inspector, whose address it printed. */
export async function inspect(output: string): Promise<Inspected> {
  const address = /ws:\/\/[^\s]+/.exec(output)?.[0];
  if (address === undefined) throw new Error('the process has no inspector');
  const socket = new WebSocket(address);
  await once(socket, 'open');
  let lastId = 0;
  const ask = async (method: string): Promise<Record<string, number>> => {
    lastId += 1;
    const id = lastId;
    const answered = new Promise<Record<string, number>>((resolve) => {
      socket.on('message', function listen(data: Buffer) {
        const message = JSON.parse(data.toString()) as { id?: number; result?: Record<string, number> };
        if (message.id !== id) return;
        socket.off('message', listen);
        resolve(message.result ?? {});
      });
    });
    socket.send(JSON.stringify({ id, method }));
    return await answered;
  };
  await ask('HeapProfiler.enable');
  return {
    async held() {
      await ask('HeapProfiler.collectGarbage');
      const { usedSize = 0, backingStorageSize = 0 } = await ask('Runtime.getHeapUsage');
      return usedSize + backingStorageSize;
    },
    close: () => socket.close(),
  };
}
