import type { FastifyInstance } from 'fastify';
import { htmlType, noStore, pageHeaders } from '../answers/answer.ts';
import { noSuchPath } from '../answers/problem.ts';
import { addRoute } from '../routes.ts';

const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Outpost</title>
<h1>Outpost is running</h1>
<p>It has no public page here. Its owner can turn it on: put these lines into the config, and restart Outpost.</p>
<pre>http:
  page: {}</pre>
<p>The API is described at <a href="/docs">/docs</a>.</p>
</html>
`;

const headers = [...noStore, 'Content-Type', htmlType, ...pageHeaders()];

/** Tells a browser at `/` how to turn the public page on. Programs get the answer that every unknown path has. */
export function addNoPage(app: FastifyInstance): void {
  addRoute(app, {
    method: 'GET',
    url: '/',
    operation: 'no-page',
    isThere: () => false,
    async answer({ raw }) {
      if (!/\btext\/html\b/i.test(raw.headers.accept ?? '')) throw noSuchPath();
      return { status: 404, headers, vary: 'Accept', body };
    },
  });
}
