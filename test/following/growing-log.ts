import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const samples = fileURLToPath(new URL('../samples/dayz', import.meta.url));

/** A step of a game server's life: bytes that come to a file, or a rotation. */
type Step = { file: string; bytes: Buffer } | { rename: string; to: string };

/** The logs of a game server as they come into being, cut at any byte. */
export interface GrowingLog {
  /** Writes the next `count` steps; fewer when the log is at its end. */
  grow(count: number): Promise<void>;
  steps: number;
}

/**
 * Two runs of a real server, the second in a new file after a rotation, then a third in that same file behind its own
 * header, with the .RPT beside them.
 * @param pieces into how many the logs are cut
 */
export async function createGrowingLog(
  folder: string,
  pieces: number,
  random: () => number,
): Promise<GrowingLog> {
  const read = (server: string, name: string) => readFile(join(samples, server, name));
  const first = await read('server-b', 'Logs_before_restart__DayZServer_x64.ADM');
  const second = await read('server-b', 'Logs_after_restart__DayZServer_x64.ADM');
  const third = await read('server-c', 'DayZServer_x64.ADM');
  // The sample's last line has not ended.
  const identities = Buffer.concat([
    await read('server-b', 'DayZServer_x64_2021-04-30_17-00-26.RPT'),
    Buffer.from('\n'),
  ]);
  const total = first.length + second.length + third.length + identities.length;
  const cut = (file: string, bytes: Buffer): Step[] =>
    cutAnywhere(bytes, Math.max(2, Math.round((pieces * bytes.length) / total)), random).map((piece) => ({
      file,
      bytes: piece,
    }));
  const log = 'DayZServer_x64.ADM';
  const logSteps: Step[] = [
    ...cut(log, first),
    { rename: log, to: 'DayZServer_x64_2021_04_30_170026123.ADM' },
    ...cut(log, second),
    ...cut(log, third),
  ];
  const steps = mixed(logSteps, cut('DayZServer_x64_2021-04-30_17-00-26.RPT', identities), random);
  let next = 0;
  return {
    steps: steps.length,
    async grow(count) {
      for (const step of steps.slice(next, next + count)) await take(folder, step);
      next += count;
    },
  };
}

async function take(folder: string, step: Step): Promise<void> {
  if ('rename' in step) {
    await rename(join(folder, step.rename), join(folder, step.to));
    // The game opens the new file at once.
    await writeFile(join(folder, step.rename), '');
  } else await appendFile(join(folder, step.file), step.bytes);
}

function cutAnywhere(bytes: Buffer, pieces: number, random: () => number): Buffer[] {
  const cuts = Array.from({ length: pieces - 1 }, () => Math.floor(random() * bytes.length)).toSorted(
    (a, b) => a - b,
  );
  return [0, ...cuts].map((cut, i) => bytes.subarray(cut, cuts[i] ?? bytes.length));
}

function mixed(steps: readonly Step[], others: readonly Step[], random: () => number): Step[] {
  const result: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < steps.length || j < others.length) {
    const left = steps.length - i;
    const takeOther = random() < (others.length - j) / (left + others.length - j);
    const step = takeOther ? others[j++] : steps[i++];
    if (step !== undefined) result.push(step);
  }
  return result;
}
