import type { FastifyInstance } from 'fastify';
import { htmlType, noStore, pageHeaders } from '../answers/answer.ts';
import { Problem } from '../answers/problem.ts';
import { addRoute } from '../routes.ts';

/** Where Steam finds a game server. */
export interface JoinTarget {
  /** A host name or an IP address. */
  host: string;
  port: number;
}

const headers = [...noStore, 'Content-Type', htmlType, ...pageHeaders()];

/** `steam://connect/host:port`: Steam starts the game and connects to the server. */
function steamAddress({ host, port }: JoinTarget): string {
  return `steam://connect/${host.includes(':') ? `[${host}]` : encodeURIComponent(host)}:${port}`;
}

/** Shown by browsers that ask before opening another program, or that do not support such links. */
function page(address: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Join</title>
<p>Steam should start the game now. If it does not: <a href="${address}">join the server</a>.</p>
</html>
`;
}

/**
 * Adds `GET /join/{serverId}`, an https link that opens the game. `targetOf` returns null for servers that cannot be
 * joined by a link; they are answered like unknown ones.
 */
export function addJoin(app: FastifyInstance, targetOf: (serverId: string) => JoinTarget | null): void {
  addRoute(app, {
    method: 'GET',
    url: '/join/:serverId',
    operation: 'join',
    async answer({ params }) {
      const target = targetOf((params as { serverId: string }).serverId);
      if (target === null) throw new Problem('not_found', 'There is no server to join here.');
      const address = steamAddress(target);
      return { status: 302, headers: ['Location', address, ...headers], body: page(address) };
    },
  });
}
