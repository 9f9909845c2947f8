import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Copies of the files of projects as they counted last, in the data folder. With them, a project whose file has a mistake
 * stays as it was over a restart.
 */
export function projectCopies(dataFolder: string) {
  const folder = join(dataFolder, 'projects');
  /** Null: there is none. */
  const read = (name: string): string | null => {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch {
      return null;
    }
  };
  const names = (): string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  return {
    read,
    /** Keeps these texts, by the paths of their files, and no others. @throws errors of the file system */
    keep(texts: ReadonlyMap<string, string>): void {
      const byName = new Map(Array.from(texts, ([file, text]) => [basename(file), text]));
      for (const name of names()) if (!byName.has(name)) rmSync(join(folder, name));
      if (byName.size > 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const [name, text] of byName) {
        if (read(name) !== text) writeFileSync(join(folder, name), text, { mode: 0o600 });
      }
    },
  };
}
