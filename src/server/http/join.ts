import type { FastifyInstance } from 'fastify';
import { addMethodRoutes } from './methods.ts';
import { Problem } from './problem.ts';

/** Where players enter a game server. */
export interface JoinTarget {
  /** A host name or an IP address. */
  host: string;
  port: number;
}

const path = '/join/:serverId';

/** `steam://connect/host:port`, which Steam understands as: start the game and go there. */
function steamAddress({ host, port }: JoinTarget): string {
  return `steam://connect/${host.includes(':') ? `[${host}]` : encodeURIComponent(host)}:${port}`;
}

/** For a browser that asks before it leaves for another program, or has none for that address. */
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
 * Adds `GET /join/{serverId}`, an address for links that may only be https: it leads into the game. `targetOf` gives null
 * for every server that is not to be joined this way; what is not known then looks like what is.
 */
export function addJoin(app: FastifyInstance, targetOf: (serverId: string) => JoinTarget | null): void {
  app.get<{ Params: { serverId: string } }>(path, async (request, reply) => {
    request.operation = 'join';
    const target = targetOf(request.params.serverId);
    if (target === null) throw new Problem('not_found', 'There is no server to join here.');
    const address = steamAddress(target);
    return await reply
      .code(302)
      .headers({
        Location: address,
        'Cache-Control': 'no-store',
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
        'Referrer-Policy': 'no-referrer',
      })
      .type('text/html; charset=utf-8')
      .send(page(address));
  });
  addMethodRoutes(app, path, 'join', ['GET'], null);
}
