import type { IncomingMessage, ServerResponse } from 'node:http';
import type { State } from './state/state.ts';

const inlineTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Serves an attachment at `/attachments/{channel}/{attachment}/{name}`; only pictures are shown in the browser. */
export function serveFile(state: State, request: IncomingMessage, response: ServerResponse, url: URL): void {
  const file = state.files.get(url.pathname.split('/')[3] ?? '');
  if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    'content-type': inlineTypes.has(file.contentType) ? file.contentType : 'application/octet-stream',
    'content-length': file.bytes.length,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(!inlineTypes.has(file.contentType) && { 'content-disposition': 'attachment' }),
  });
  response.end(request.method === 'HEAD' ? undefined : file.bytes);
}
