import { LRUCache } from 'lru-cache';
import { within } from './time-limit.ts';

interface DownloadOptions<Value> {
  mostBytes: number;
  loadWithinMs: number;
  keepMs: number;
  /** After a failure, a file is loaded again after this time. */
  retryMs: number;
  /** A caller waits at most so long for a file that is loading, and gets null then. Later callers get the file. */
  waitMs: number;
  /** Reads a file. @throws what is wrong with it, for the owner's log */
  read(file: Buffer): Promise<Value> | Value;
  /** Called once for each address that fails, until it succeeds. */
  onFailure(error: unknown, url: string): void;
}

/** Logo and banner of 250 projects. With fewer, those of a larger installation would be loaded again at each visit. */
const mostKept = 500;

/** Loads files from addresses in the owner's config, and keeps them; null: there is none yet. */
export function createDownloads<Value extends object>(
  options: DownloadOptions<Value>,
): (url: string) => Promise<Value | null> {
  const known = new LRUCache<string, Promise<Value | null>>({ max: mostKept, ttl: options.keepMs });
  const failed = new Set<string>();

  async function load(url: string): Promise<Value | null> {
    try {
      const value = await options.read(await download(url, options));
      failed.delete(url);
      return value;
    } catch (error) {
      if (!failed.has(url)) options.onFailure(error, url);
      failed.add(url);
      known.set(url, Promise.resolve(null), { ttl: options.retryMs });
      return null;
    }
  }

  return async (url) => {
    const value = known.get(url) ?? load(url);
    if (!known.has(url)) known.set(url, value);
    const loaded = await within(value, options.waitMs);
    return loaded === 'late' ? null : loaded;
  };
}

async function download(
  url: string,
  { mostBytes, loadWithinMs }: Pick<DownloadOptions<never>, 'mostBytes' | 'loadWithinMs'>,
): Promise<Buffer> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(loadWithinMs) });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  if (!answer.ok) throw new Error(`the answer is ${answer.status}`);
  return Buffer.concat(chunks);
}
