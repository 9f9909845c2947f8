import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readEnvironment } from '../config/load.ts';
import { storeUrlMistake } from '../config/store-url.ts';
import { shownUrl } from '../server/store/engine/postgres/url.ts';
import { transferStore, type TransferProgress } from '../server/store/operations/transfer-store.ts';
import { untilInterrupted } from './interrupt.ts';
import { count, type Output, printResult } from './output.ts';
import { percentOf, showProgress } from './progress.ts';
import { limits } from './limits.ts';

interface CopyOptions {
  to?: string;
  from?: string;
}

export async function copy(output: Output, options: CopyOptions, self: Command): Promise<void> {
  const { dataFolder, configFile, storeUrl } = readEnvironment();
  const to = options.to ?? storeUrl ?? self.error('error: expected --to or OUTPOST_STORE_URL');
  // Not by commander, which would quote it: it may contain a password.
  const mistake = storeUrlMistake(to);
  if (mistake !== null) self.error(`error: --to: ${mistake}`);
  const from = options.from === undefined ? dataFolder : resolve(options.from);
  const { update: onProgress, end } = showProgress(output, progressText, limits.drawEveryMs);
  const { result } = await untilInterrupted(
    async (signal) => await transferStore({ from, to, configFile, now: Date.now(), signal, onProgress }),
    'Stopped; nothing was copied. Run the same command again to begin anew.',
  ).finally(end);
  const { tables, rows } = result;
  const text = [
    `Copied ${from} to ${shownUrl(to)}: ${count(rows, 'row')} in ${count(tables, 'table')}, with tokens and what the bot keeps.`,
    'Next: set OUTPOST_STORE_URL to the URL, and start Outpost. Keep the data folder until all is well.',
  ];
  printResult(output, { from, to: shownUrl(to), ...result }, text.join('\n'));
}

const progressText = ({ done, total }: TransferProgress): string =>
  `copying: ${percentOf(done, total)} of ${count(total, 'row')}`;
