import { openWriter, storeFile } from '../../engine/database.ts';
import { isMissing } from '../../engine/data-folder.ts';
import { StoreError } from '../../engine/error.ts';
import { lockDataFolder } from '../../engine/folder-lock.ts';
import { type Difference, Differences } from './differences.ts';
import { type Chunk, openSource, type Source } from './source.ts';
import { Target } from './target.ts';

export interface TransferProgress {
  step: 'copy';
  /** Rows. */
  done: number;
  total: number;
}

export interface TransferOptions {
  /** The data folder with the store in SQLite. */
  from: string;
  /** URL of an empty database of PostgreSQL. */
  to: string;
  /** Path of the config, for the error message of an Outpost that is started meanwhile. */
  configFile: string;
  /** Epoch milliseconds. */
  now: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: TransferProgress) => void) | undefined;
}

interface Transferred {
  tables: number;
  rows: number;
  /** How many of the rows are tokens, and what the bot keeps. */
  smallValues: number;
  /** Rows that PostgreSQL cannot tell from another one. */
  leftOut: number;
  /** What PostgreSQL cannot store as it is: everything else is equal. */
  differences: Difference[];
}

const busyTimeoutMs = 10_000;

/**
 * Copies a store from SQLite into PostgreSQL, with tokens and what the bot keeps. It is one transaction: a copy that is
 * interrupted, at whatever moment, leaves nothing behind.
 * @throws StoreError that says why there is no complete copy; the signal's reason
 */
export async function transferStore(options: TransferOptions): Promise<Transferred> {
  const { from, to, configFile, now } = options;
  const file = storeFile(from);
  if (isMissing(file)) {
    throw new StoreError(
      `there is nothing to copy: ${file} does not exist. Name the data folder in --from or OUTPOST_DATA.`,
    );
  }
  const lock = lockDataFolder(from, configFile, now);
  try {
    const source = openSource(file);
    const target = new Target(to, source);
    try {
      return await transfer(options, source, target);
    } finally {
      source.close();
      await target.close();
    }
  } finally {
    lock.release();
  }
}

async function transfer(
  { to, signal, onProgress }: TransferOptions,
  source: Source,
  target: Target,
): Promise<Transferred> {
  await target.requireEmpty();
  // Opening it for writing creates its tables.
  const { close } = await openWriter(to, { busyTimeoutMs });
  await close();
  signal?.throwIfAborted();
  await target.begin();
  const total = source.tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  let leftOut = 0;
  const differences = new Differences();
  for (const table of source.tables) {
    const write = async ({ rows, changed }: Chunk): Promise<void> => {
      const left = await target.insert(table, rows);
      leftOut += left.length;
      for (const row of left) differences.add(table, row, null);
      for (const [row, columns] of changed) {
        if (left.includes(row)) continue;
        for (const column of columns) differences.add(table, row, table.columns[column]?.name ?? null);
      }
      done += rows.length;
      onProgress?.({ step: 'copy', done, total });
    };
    let writing: Promise<void> = Promise.resolve();
    // While a chunk is being inserted, the next one is read.
    for (const chunk of source.chunksOf(table)) {
      await writing;
      signal?.throwIfAborted();
      writing = write(chunk);
      // It is awaited later; until then nobody listens.
      writing.catch(() => undefined);
    }
    await writing;
    const last = source.lastIdOf(table);
    if (last !== null) await target.continueIds(table.name, last);
  }
  signal?.throwIfAborted();
  await target.finish();
  return {
    tables: source.tables.length,
    rows: total - leftOut,
    smallValues: source.tables.find(({ name }) => name === 'keyv')?.rows ?? 0,
    leftOut,
    differences: differences.list(),
  };
}
