import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { fileAmongModules } from '../../../process/own-files.ts';
import { htmlType, jsonType, pageHeaders } from '../answers/answer.ts';
import { Representation } from '../answers/representation.ts';
import type { DataAnswers } from '../operations/data-routes.ts';
import { addRoute, type AnswerTo } from '../routes.ts';
import { createOpenApiDocument } from './openapi/document.ts';
import { addTryOut } from './try-out.ts';

export interface Community {
  name: string;
  logoUrl: string | null;
}

/** The page loads only what is served here, and the community's logo. */
const sources = ({ logoUrl }: Community): string[] => [
  "script-src 'self'",
  "style-src 'self'",
  `img-src 'self' data:${logoUrl === null ? '' : ` ${new URL(logoUrl).origin}`}`,
  "connect-src 'self'",
];

const revalidated = ['Cache-Control', 'no-cache'];

const { resolve } = createRequire(import.meta.url);
const fileOfPage = (name: string): URL => fileAmongModules(`server/http/documentation/page/${name}`);
const fileOfLibrary = (name: string): string => resolve(`swagger-ui-dist/${name}`);

const script = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

/**
 * Adds `/openapi.json`, the OpenAPI document of the service, and `/docs`, a page that shows it and can run its
 * operations. Neither needs a token, since they contain no data of the service.
 */
export function addDocumentation(
  app: FastifyInstance,
  dataAnswers: DataAnswers,
  community: () => Community,
): void {
  const answers: Readonly<Record<string, AnswerTo>> = {
    '/openapi.json': fixed(jsonType, async () => Buffer.from(JSON.stringify(createOpenApiDocument()))),
    '/docs': async (request) => await (await page(community())).answer(request, 'Accept-Encoding'),
    '/docs/page.css': fixed(css, () => readFile(fileOfPage('page.css'))),
    '/docs/page.js': fixed(script, () => readFile(fileOfPage('page.js'))),
    '/docs/swagger-ui-bundle.js': fixed(script, () => readFile(fileOfLibrary('swagger-ui-bundle.js'))),
    '/docs/swagger-ui.css': fixed(css, () => readFile(fileOfLibrary('swagger-ui.css'))),
  };
  for (const [url, answer] of Object.entries(answers)) {
    addRoute(app, { method: 'GET', url, operation: 'documentation', answer });
  }
  addTryOut(app, dataAnswers);
}

async function page(community: Community): Promise<Representation> {
  const { name, logoUrl } = community;
  const logo = logoUrl === null ? '' : `<img src="${escaped(logoUrl)}" alt="" />`;
  const template = await readFile(fileOfPage('index.html'), 'utf8');
  const html = template.replace('{{logo}}', () => logo).replaceAll('{{name}}', () => escaped(name));
  return new Representation(Buffer.from(html), htmlType, [
    ...pageHeaders(sources(community)),
    ...revalidated,
  ]);
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Serves a body that never changes and is read at the first request. */
function fixed(contentType: string, read: () => Promise<Buffer>): AnswerTo {
  let made: Representation | undefined;
  return async (request) => {
    made ??= new Representation(await read(), contentType, revalidated);
    return await made.answer(request, 'Accept-Encoding');
  };
}
