import type { ImportProgress } from '../../server/ingest/logs/log-import.ts';
import type { Output } from '../output.ts';

export interface ProgressView {
  update(progress: ImportProgress): void;
  end(): void;
}

const lineEveryMs = 2_000;
const drawEveryMs = 100;
const barLength = 30;
const clearLine = '\r\u001B[K';

/** A bar in a terminal, a line now and then elsewhere, nothing with `--json`. */
export function showProgress(options: { json?: boolean }, output: Output): ProgressView {
  if (options.json) return { update: () => undefined, end: () => undefined };
  return process.stdout.isTTY ? barView() : lineView(output);
}

/** Redraws one line. It leaves the terminal's mode unchanged, so that Ctrl+C reaches the import. */
function barView(): ProgressView {
  const started = Date.now();
  const { stdout } = process;
  let last = 0;
  return {
    update(progress) {
      if (Date.now() - last < drawEveryMs) return;
      last = Date.now();
      const full = Math.round(share(progress) * barLength);
      const bar = `${'━'.repeat(full)}${'┄'.repeat(barLength - full)}`;
      stdout.write(`${clearLine}${`${bar} ${describe(progress, started)}`.slice(0, stdout.columns - 1)}`);
    },
    end: () => void stdout.write(clearLine),
  };
}

function lineView(output: Output): ProgressView {
  const started = Date.now();
  let last = started;
  return {
    update(progress) {
      if (Date.now() - last < lineEveryMs) return;
      last = Date.now();
      output.err(`${Math.floor(share(progress) * 100)} %, ${describe(progress, started)}`);
    },
    end: () => undefined,
  };
}

/** A log may have grown since it was listed. */
const share = ({ bytesDone, bytesTotal }: ImportProgress): number =>
  bytesTotal === 0 ? 1 : Math.min(1, bytesDone / bytesTotal);

function describe(progress: ImportProgress, started: number): string {
  const seconds = Math.max(0.001, (Date.now() - started) / 1000);
  const done = share(progress);
  const rate = Math.round(progress.lines / seconds).toLocaleString('en-US');
  const left = done > 0 ? Math.ceil((seconds / done) * (1 - done)) : null;
  const files = `${progress.filesDone.toLocaleString('en-US')} of ${progress.filesTotal.toLocaleString('en-US')} files`;
  const time = left === null ? '' : `, ${left} s left`;
  return `${files}, ${progress.lines.toLocaleString('en-US')} lines, ${rate} lines/s${time}`;
}
