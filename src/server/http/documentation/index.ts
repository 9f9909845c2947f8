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

/** The page loads only what is served here. */
const ownSources = ["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"];

const { resolve } = createRequire(import.meta.url);
const ofPage = (name: string) => (): Promise<Buffer> =>
  readFile(fileAmongModules(`server/http/documentation/page/${name}`));
const ofLibrary = (name: string) => (): Promise<Buffer> => readFile(resolve(`swagger-ui-dist/${name}`));

const script = 'text/javascript; charset=utf-8';

/**
 * Adds `/openapi.json`, the OpenAPI document of the service, and `/docs`, a page that shows it and can run its
 * operations. Neither needs a token, since they contain no data of the service.
 */
export function addDocumentation(app: FastifyInstance, dataAnswers: DataAnswers): void {
  const answers: Readonly<Record<string, AnswerTo>> = {
    '/openapi.json': fixed(jsonType, async () => Buffer.from(JSON.stringify(createOpenApiDocument()))),
    '/docs': fixed(htmlType, ofPage('index.html'), pageHeaders(ownSources)),
    '/docs/page.js': fixed(script, ofPage('page.js')),
    '/docs/swagger-ui-bundle.js': fixed(script, ofLibrary('swagger-ui-bundle.js')),
    '/docs/swagger-ui.css': fixed('text/css; charset=utf-8', ofLibrary('swagger-ui.css')),
  };
  for (const [url, answer] of Object.entries(answers)) {
    addRoute(app, { method: 'GET', url, operation: 'documentation', answer });
  }
  addTryOut(app, dataAnswers);
}

/** Serves a body that never changes and is read at the first request. */
function fixed(contentType: string, read: () => Promise<Buffer>, headers: readonly string[] = []): AnswerTo {
  let made: Representation | undefined;
  return async (request) => {
    made ??= new Representation(await read(), contentType, [...headers, 'Cache-Control', 'no-cache']);
    return await made.answer(request, 'Accept-Encoding');
  };
}
