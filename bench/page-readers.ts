// The visitors of page.ts who keep an event stream open, in a process of their own: argv[2] is the address of the stream,
// argv[3] how many there are, argv[4] how many of them share an address. Tells its parent once all are open, and, asked,
// how many events of each kind came in all and to the visitor with the fewest.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setPriority } from 'node:os';

// Those who measure come first.
setPriority(10);

const [url, count, perAddress] = [
  new URL(process.argv[2] as string),
  Number(process.argv[3]),
  Number(process.argv[4]),
];

export interface ReaderReport {
  events: number;
  /** Of the visitor with the fewest. */
  fewest: number;
  ended: number;
}

const events = Array.from({ length: count }, () => 0);
let ended = 0;

/** Plain sockets: what parses HTTP would need more of the machine than the service that is measured. */
async function open(index: number): Promise<void> {
  const at = Math.floor(index / perAddress);
  const socket = connect({
    host: url.hostname,
    port: Number(url.port),
    localAddress: `127.1.${Math.floor(at / 250)}.${1 + (at % 250)}`,
  });
  socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  socket.setEncoding('latin1');
  const [head] = (await once(socket, 'data')) as [string];
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`a stream was refused: ${head}`);
  socket.on('data', (text: unknown) => {
    events[index] = (events[index] as number) + (String(text).match(/^event: /gm)?.length ?? 0);
  });
  socket.on('error', () => undefined);
  socket.once('close', () => (ended += 1));
}

for (let index = 0; index < count; index += perAddress) {
  await Promise.all(
    Array.from({ length: Math.min(perAddress, count - index) }, (_, offset) => open(index + offset)),
  );
}
process.on('message', () => {
  const report: ReaderReport = {
    events: events.reduce((sum, one) => sum + one, 0),
    fewest: Math.min(...events),
    ended,
  };
  process.send?.(report);
});
process.send?.('open');
