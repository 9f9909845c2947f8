import type { IncomingMessage } from 'node:http';
import type { Upload } from '../state/attachments.ts';
import { refusals } from '../errors.ts';

/** Discord takes 10 MiB of files from a bot; the message around them is small. */
const maxBodyBytes = 12 * 1024 * 1024;

/** Collects a request's body. @throws DiscordError when it is larger than Discord would take. */
async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw refusals.tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads JSON, or a multipart form of `payload_json` and `files[n]` (Discord: Uploading Files). */
export async function readBody(
  request: IncomingMessage,
  maxBytes = maxBodyBytes,
): Promise<{ body: unknown; uploads: Upload[] }> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return { body: {}, uploads: [] };
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data'))
    return { body: parseJson(bytes.toString('utf8')), uploads: [] };
  const form = await new Response(bytes, { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw refusals.invalidJson();
    });
  const uploads: Upload[] = [];
  let body: unknown = {};
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      if (name === 'payload_json') body = parseJson(value);
      continue;
    }
    const index = /^files\[([0-9]+)\]$/.exec(name)?.[1] ?? String(uploads.length);
    uploads.push({
      index,
      filename: safeName(value.name),
      contentType: value.type,
      bytes: Buffer.from(await value.arrayBuffer()),
    });
  }
  return { body, uploads };
}

/** Discord keeps only harmless characters of a file name. */
const safeName = (name: string): string => name.replaceAll(/[^\w.-]+/g, '_').slice(-100) || 'file';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusals.invalidJson();
  }
}
