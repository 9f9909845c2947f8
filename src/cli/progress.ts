import type { ImportProgress } from '../server/ingest/logs/importing/import-logs.ts';
import { count, grouped, type JsonOption, type Output } from './output.ts';

/** Shows how far long work is: one line on a terminal, lines now and then elsewhere, nothing with `--json`. */
interface ProgressView<Progress> {
  update(progress: Progress): void;
  end(): void;
}

const silent = { update: () => undefined, end: () => undefined };
/** A line on a terminal is not drawn more often. */
const drawEveryMs = 100;

interface Step {
  step: string;
  done: number;
  total: number;
}

/**
 * Elsewhere than on a terminal: a line when a step begins.
 * @param text of a step; null: it begins, so no part of it is done yet
 */
export function showSteps<Progress extends Step>(
  { json }: JsonOption,
  { err, progress: draw }: Output,
  text: (progress: Progress, percent: number | null) => string,
): ProgressView<Progress> {
  if (json === true) return silent;
  let shown: string | null = null;
  let shownAt = 0;
  return {
    update(progress) {
      const { step, done, total } = progress;
      const isNew = step !== shown;
      shown = step;
      if (draw === undefined) {
        if (isNew) err(text(progress, null));
      } else if (isNew || performance.now() - shownAt >= drawEveryMs) {
        shownAt = performance.now();
        draw(text(progress, total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))));
      }
    },
    end: () => draw?.(''),
  };
}

/** A line on a terminal, and nothing elsewhere. */
export function showLine<Progress>(
  { json }: JsonOption,
  { progress: draw }: Output,
  text: (progress: Progress) => string,
): ProgressView<Progress> {
  if (json === true || draw === undefined) return silent;
  return { update: (progress) => draw(text(progress)), end: () => draw('') };
}

/** How many of a file's rows are stored. */
export const storedText =
  (rows: string) =>
  ({ done, total }: { done: number; total: number }): string =>
    `${grouped(done)} of ${grouped(total)} ${rows} stored`;

const lineEveryMs = 2_000;
const barLength = 30;

/** A bar on a terminal. It leaves the terminal's mode unchanged, so that Ctrl+C reaches the import. */
export function showImport({ json }: JsonOption, output: Output): ProgressView<ImportProgress> {
  if (json === true) return silent;
  const { progress: draw } = output;
  const started = Date.now();
  let last = draw === undefined ? started : 0;
  return {
    update(progress) {
      if (Date.now() - last < (draw === undefined ? lineEveryMs : drawEveryMs)) return;
      last = Date.now();
      const share = shareOf(progress);
      const text = describe(progress, share, started);
      if (draw === undefined) return output.err(`${Math.floor(share * 100)} %, ${text}`);
      const full = Math.round(share * barLength);
      const line = `${'━'.repeat(full)}${'┄'.repeat(barLength - full)} ${text}`;
      draw(line.slice(0, (output.terminal?.columns ?? 80) - 1));
    },
    end: () => draw?.(''),
  };
}

/** A log may have grown since it was listed. */
const shareOf = ({ bytesDone, bytesTotal }: ImportProgress): number =>
  bytesTotal === 0 ? 1 : Math.min(1, bytesDone / bytesTotal);

function describe({ lines, filesDone, filesTotal }: ImportProgress, share: number, started: number): string {
  const seconds = Math.max(0.001, (Date.now() - started) / 1000);
  const left = share > 0 ? `, ${Math.ceil((seconds / share) * (1 - share))} s left` : '';
  return `${grouped(filesDone)} of ${count(filesTotal, 'file')}, ${count(lines, 'line')}, ${grouped(Math.round(lines / seconds))} lines/s${left}`;
}
