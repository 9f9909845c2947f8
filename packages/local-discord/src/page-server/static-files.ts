import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The page as it is built: also for the sources beside this file, which no browser reads. */
const pageFolder = fileURLToPath(new URL('../../dist/page/', import.meta.url));

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** A file of the page by its name; null: it has none of that name. */
export async function staticFile(name: string): Promise<{ contentType: string; body: Buffer } | null> {
  const contentType = contentTypes[extname(name)];
  if (contentType === undefined || !/^[a-z-]+\.[a-z]+$/.test(name)) return null;
  try {
    return { contentType, body: await readFile(pageFolder + name) };
  } catch {
    return null;
  }
}
