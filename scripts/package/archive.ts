import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';
import { ZipFile } from 'yazl';

/**
 * Packs a folder as `<folder>.tar.gz`, or as `.zip` for Windows, and writes `<archive>.sha256` beside it. The same files
 * give the same bytes: in order of their names, all of the same time, without an owner.
 * @param time of every entry
 * @returns the archive's path
 */
export async function pack(folder: string, isWindows: boolean, time: Date): Promise<string> {
  const archive = `${folder}.${isWindows ? 'zip' : 'tar.gz'}`;
  const files = filesBelow(folder);
  if (isWindows) await zip(folder, files, archive, time);
  else {
    const options = { gzip: { level: 9 }, portable: true, mtime: time, noDirRecurse: true };
    const entries = files.map((path) => `${basename(folder)}/${path}`);
    await create({ ...options, cwd: dirname(folder), file: archive }, entries);
  }
  writeFileSync(`${archive}.sha256`, `${await sha256(archive)}  ${basename(archive)}\n`);
  return archive;
}

/** Paths with /, sorted by their bytes. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted((one, other) => (one < other ? -1 : 1));
}

async function zip(folder: string, files: readonly string[], archive: string, mtime: Date): Promise<void> {
  const archived = new ZipFile();
  for (const path of files) {
    archived.addFile(join(folder, path), `${basename(folder)}/${path}`, {
      mtime,
      mode: 0o100_644,
      // A field of its own would hold the time in UTC; this one is read as local time everywhere.
      forceDosTimestamp: true,
    });
  }
  archived.end();
  const failed = once(archived, 'error').then(([error]) => Promise.reject(error as Error));
  await Promise.race([pipeline(archived.outputStream, createWriteStream(archive)), failed]);
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
