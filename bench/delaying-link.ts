import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to a PostgreSQL on this machine on which every byte arrives late, as between two machines. */
export interface DelayingLink {
  port: number;
  /** What passed since `restart`. */
  traffic: Traffic;
  restart(): void;
  close(): Promise<void>;
}

export interface Traffic {
  /** How often the client waited for an answer. What it sends while another answer is on its way is in the same. */
  roundTrips: number;
  /** How often each statement was sent. Numbers and quoted texts in it are replaced. */
  statements: Map<string, number>;
  /** From the answer with which a transaction begins, its locks held, to that with which it ends. */
  longestTransactionMs: number;
}

/** @param delayMs of each direction; pieces keep their order and do not wait for each other */
export async function startDelayingLink(target: number, delayMs: number): Promise<DelayingLink> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    // Timers of one duration end in the order in which they were set.
    const later = (work: () => void): void => void (delayMs === 0 ? work() : setTimeout(work, delayMs));
    let unanswered = 0;
    const named = new Map<string, string>();
    near.on(
      'data',
      messages({ startsUntyped: true }, (type, body) => {
        if (type === 'Q') noteStatement(textAt(body, 0));
        // Sent once for each connection, and then named by Bind.
        if (type === 'P') named.set(textAt(body, 0), textAt(body, body.indexOf(0) + 1));
        if (type === 'B') noteStatement(named.get(textAt(body, body.indexOf(0) + 1)) ?? '');
        // A query with values ends with Sync.
        if (type !== 'Q' && type !== 'S') return;
        if (unanswered === 0) link.traffic.roundTrips += 1;
        unanswered += 1;
      }),
    );
    let begunAt: number | null = null;
    far.on(
      'data',
      messages({ startsUntyped: false }, (type, body) => {
        if (type !== 'Z') return;
        // That of the login was asked for by no query.
        later(() => (unanswered = Math.max(0, unanswered - 1)));
        const isOpen = body.toString() !== 'I';
        if (isOpen) begunAt ??= performance.now();
        else if (begunAt !== null) {
          link.traffic.longestTransactionMs = Math.max(
            link.traffic.longestTransactionMs,
            performance.now() - begunAt,
          );
          begunAt = null;
        }
      }),
    );
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (piece: Buffer) => later(() => to.write(piece)));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        later(() => to.destroy());
      });
    }
  });
  const noteStatement = (sent: string): void => {
    const text = wording(sent);
    const { statements } = link.traffic;
    statements.set(text, (statements.get(text) ?? 0) + 1);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link: DelayingLink = {
    port: (server.address() as AddressInfo).port,
    traffic: noTraffic(),
    restart() {
      link.traffic = noTraffic();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
  return link;
}

/** A text of a message, which ends with a zero. */
const textAt = (body: Buffer, start: number): string => body.toString('utf8', start, body.indexOf(0, start));

const noTraffic = (): Traffic => ({ roundTrips: 0, statements: new Map(), longestTransactionMs: 0 });

/** Statements that differ in how many values they have are one. */
function wording(text: string): string {
  return text
    .replaceAll(/'[^']*'/g, "'…'")
    .replaceAll(/\$?\b\d+\b/g, '?')
    .replaceAll(/\((?:\?|[^()]*\?)\)(?:, ?\([^()]*\?\))+/g, '(?), …')
    .replaceAll(/\?(?:, ?\?)+/g, '?, …')
    .replaceAll(/\s+/g, ' ');
}

/**
 * Splits a stream into messages: a letter, the length of the rest (4 bytes, which it includes), the rest. The first of a
 * client has no letter.
 */
function messages(
  { startsUntyped }: { startsUntyped: boolean },
  onMessage: (type: string, body: Buffer) => void,
) {
  let rest: Buffer = Buffer.alloc(0);
  let typeBytes = startsUntyped ? 0 : 1;
  return (piece: Buffer): void => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    while (rest.length >= typeBytes + 4) {
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      if (typeBytes === 1) onMessage(rest.toString('latin1', 0, 1), rest.subarray(5, end));
      typeBytes = 1;
      rest = rest.subarray(end);
    }
  };
}
