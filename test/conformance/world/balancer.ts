import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export interface Balancer {
  url: string;
  close(): Promise<void>;
}

/** Idle connections, for less time than the service keeps them: what is sent as it closes one is lost. */
const keepMs = 30_000;

/** Hands each request on to one of the addresses at random, and changes nothing in it nor in its answer. */
export async function startBalancer(targets: readonly string[]): Promise<Balancer> {
  const agent = new http.Agent({ keepAlive: true, timeout: keepMs });
  const server = http.createServer({ requestTimeout: 0 }, (incoming, answer) => {
    const target = targets[Math.floor(Math.random() * targets.length)] as string;
    const { hostname, port } = new URL(target);
    const { method, url: path, rawHeaders: headers } = incoming;
    const outgoing = http.request({ agent, hostname, port, method, path, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
      pipeline(answered, answer, () => undefined);
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => answer.writableFinished || outgoing.destroy());
    pipeline(incoming, outgoing, () => undefined);
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, 'close');
    },
  };
}
