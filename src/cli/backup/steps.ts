import type { BackupProgress } from '../../server/store/operations/backup/copy-store.ts';
import type { Output } from '../output.ts';

const words: Record<BackupProgress['step'], string> = {
  copy: 'copying the database',
  compress: 'compressing',
  read: 'reading the backup',
};

const drawEveryMs = 100;
const clearLine = '\r\u001B[K';

/** Shows how far a backup or a restore is: one line in a terminal, a line for each step elsewhere, nothing with `--json`. */
export function showSteps(
  options: { json?: boolean },
  output: Output,
): { update(progress: BackupProgress): void; end(): void } {
  if (options.json) return { update: () => undefined, end: () => undefined };
  const { stdout } = process;
  let shown: BackupProgress['step'] | null = null;
  if (!stdout.isTTY) {
    return {
      update({ step, total }) {
        if (step !== shown) output.err(`${words[step]} (${sizeText(total)})`);
        shown = step;
      },
      end: () => undefined,
    };
  }
  let drawnAt = -Infinity;
  return {
    update({ step, done, total }) {
      if (step === shown && performance.now() - drawnAt < drawEveryMs) return;
      shown = step;
      drawnAt = performance.now();
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100));
      stdout.write(`${clearLine}${words[step]}: ${percent} % of ${sizeText(total)}`);
    },
    end: () => void stdout.write(clearLine),
  };
}

/** Such as `12.3 MB`. */
export function sizeText(bytes: number): string {
  const [figure, unit] = bytes < 1_048_576 ? [bytes / 1024, 'KB'] : [bytes / 1_048_576, 'MB'];
  return `${figure.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}
