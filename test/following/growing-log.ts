import { appendFile, copyFile, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const samples = fileURLToPath(new URL('../../packages/dayz-files/test/samples', import.meta.url));

/** A step of a game server's life: bytes that come to a file, a rotation, or a tool that copies the log and empties it. */
type Step = { file: string; bytes: Buffer } | { rename: string; to: string } | { cut: string; to: string };

/** The logs of a game server as they come into being, cut at any byte. */
export interface GrowingLog {
  /** Writes the next `count` steps; fewer when the log is at its end. */
  grow(count: number): Promise<void>;
  steps: number;
  /** The admin logs as they count, without the lines that were cut in two. */
  whole: readonly Buffer[];
}

/**
 * Two runs of a real server, the second in a new file after a rotation, then a third in that same file behind its own
 * header, with the .RPT beside them.
 * @param pieces into how many the logs are cut
 * @param cuts how often a tool copies the log and empties it, in the middle of a run
 */
export async function createGrowingLog(
  folder: string,
  pieces: number,
  random: () => number,
  cuts = 0,
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
  const whole: Buffer[] = [];
  let copies = 0;
  const grown = (bytes: Buffer, howOften: number): Step[] => {
    const { parts, counted } = cutInRun(bytes, howOften, random);
    whole.push(counted);
    return parts.flatMap((part, i): Step[] =>
      i === 0
        ? cut(log, part)
        : [{ cut: log, to: `DayZServer_x64.ADM.copy-${(copies += 1)}.ADM` }, ...cut(log, part)],
    );
  };
  const logSteps: Step[] = [
    ...grown(first, Math.ceil(cuts / 2)),
    { rename: log, to: 'DayZServer_x64_2021_04_30_170026123.ADM' },
    ...grown(second, Math.floor(cuts / 2)),
    ...grown(third, 0),
  ];
  const steps = mixed(logSteps, cut('DayZServer_x64_2021-04-30_17-00-26.RPT', identities), random);
  let next = 0;
  return {
    steps: steps.length,
    whole,
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
  } else if ('cut' in step) {
    await copyFile(join(folder, step.cut), join(folder, step.to));
    await truncate(join(folder, step.cut));
  } else await appendFile(join(folder, step.file), step.bytes);
}

function cutAnywhere(bytes: Buffer, pieces: number, random: () => number): Buffer[] {
  const cuts = Array.from({ length: pieces - 1 }, () => Math.floor(random() * bytes.length)).toSorted(
    (a, b) => a - b,
  );
  return [0, ...cuts].map((cut, i) => bytes.subarray(cut, cuts[i] ?? bytes.length));
}

/** Two lines further apart than this may belong to two runs. */
const usualGapMs = 10 * 60_000;

/**
 * Cuts a run at random places, half of them inside a line. @returns the parts, and the run with each line that was cut
 * in two replaced by one that is not understood
 */
function cutInRun(bytes: Buffer, cuts: number, random: () => number): { parts: Buffer[]; counted: Buffer } {
  const places = new Map<number, { start: number; end: number }>();
  while (places.size < cuts) {
    const start = bytes.indexOf('\n', Math.floor(random() * bytes.length)) + 1;
    const end = bytes.indexOf('\n', start) + 1;
    const before = bytes.toString('latin1', bytes.lastIndexOf('\n', start - 2) + 1, start);
    const line = bytes.toString('latin1', start, end);
    const gapMs = timeOf(bytes.toString('latin1', end, end + 8)) - timeOf(before);
    const isInRun = timeOf(line) >= timeOf(before) && gapMs >= 0 && gapMs < usualGapMs;
    if (start === 0 || end === 0 || !isInRun || [...places.values()].some((one) => one.start === start))
      continue;
    // Between the line's first character and its last.
    const at = random() < 0.5 ? start : start + 1 + Math.floor(random() * (end - start - 2));
    places.set(at, { start, end });
  }
  const sorted = [...places].toSorted(([a], [b]) => a - b);
  const ends = [...sorted.map(([at]) => at), bytes.length];
  const parts = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
  let from = 0;
  const counted = sorted.flatMap(([at, { start, end }]) => {
    const kept = bytes.subarray(from, start);
    from = at === start ? start : end;
    return at === start ? [kept] : [kept, Buffer.from('a line that was cut\n')];
  });
  return { parts, counted: Buffer.concat([...counted, bytes.subarray(from)]) };
}

const timeOf = (line: string): number => Date.parse(`1970-01-01T${line.slice(0, 8)}Z`);

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
