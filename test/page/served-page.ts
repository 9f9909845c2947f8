import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PublicParts } from '../../src/server/http/public/public-parts.ts';
import { visit } from './visited.ts';

/** Serves a page to a browser, with its headers and nothing else. `others` are pages of another site, by path. */
export async function servePage(
  page: PublicParts | null,
  others: Readonly<Record<string, string>> = {},
): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/';
    const own = others[path];
    if (own !== undefined || page === null) {
      response.writeHead(own === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(own);
      return;
    }
    void visit(page, path, request.headers).then((content) => {
      response.writeHead(content?.status ?? 404, [
        ...(content?.headers ?? []),
        'Content-Type',
        content?.type ?? 'text/plain',
      ]);
      response.end(content?.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
