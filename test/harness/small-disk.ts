import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, statfsSync, writeFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Only root on Linux can mount a disk of a few megabytes. */
export const canMountDisks = process.platform === 'linux' && process.getuid?.() === 0;

export interface SmallDisk {
  folder: string;
  /** Leaves so many blocks free. */
  fill(freeBlocks: number): void;
  /** Takes back what `fill` wrote. */
  clear(): void;
  mountReadOnly(): void;
}

/** A disk of its own that goes with the test; null where none can be made. @param whenOver of a test beside others */
export function smallDisk(megabytes: number, whenOver = onTestFinished): SmallDisk | null {
  const parent = mkdtempSync(join(tmpdir(), 'outpost-disk-'));
  const folder = join(parent, 'disk');
  mkdirSync(folder);
  try {
    const options = `size=${megabytes}m`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(parent, { recursive: true });
    return null;
  }
  whenOver(() => {
    execFileSync('umount', ['-l', folder]);
    rmSync(parent, { recursive: true });
  });
  const filler = join(folder, 'filler');
  return {
    folder,
    fill(freeBlocks) {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail - freeBlocks) * bsize));
    },
    clear: () => rmSync(filler),
    mountReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', folder]),
  };
}
