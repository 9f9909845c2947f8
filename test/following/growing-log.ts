import { appendFile, copyFile, readFile, rename, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adminLog, LocalZone } from 'dayz-files';

const samples = fileURLToPath(new URL('../../packages/dayz-files/test/samples', import.meta.url));

/** A step of a game server's life: bytes that come to a file, a rotation, or a tool that copies the log and empties it. */
type Step = { file: string; bytes: Buffer } | { rename: string; to: string } | { cut: string; to: string };

/** The logs of a game server as they come into being, cut at any byte. */
export interface GrowingLog {
  /** Writes the next `count` steps; fewer when the log is at its end. */
  grow(count: number): Promise<void>;
  steps: number;
  /** The admin logs as if no tool had cut them. */
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
  // As after a restart at noon: the header behind a log without one dates it, to the day before at most.
  const third = Buffer.from(
    (await read('server-c', 'DayZServer_x64.ADM')).toString('latin1').replace('2024-11-04', '2021-05-01'),
    'latin1',
  );
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
    whole.push(bytes);
    return cutInRun(bytes, howOften, random).flatMap((part, i): Step[] =>
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
  const momentOf = cuts === 0 ? () => null : readMoments();
  let next = 0;
  return {
    steps: steps.length,
    whole,
    async grow(count) {
      for (const step of steps.slice(next, next + count)) await take(folder, step, momentOf);
      next += count;
    },
  };
}

/** Returns what says of each piece of the admin log when its last line was written; null: of a piece without any. */
function readMoments(): (step: Step) => number | null {
  const reader = adminLog.open({ zone: new LocalZone('Europe/Berlin') });
  let unfinished = Buffer.of();
  return (step) => {
    if (!('file' in step) || !step.file.endsWith('.ADM')) return null;
    const bytes = Buffer.concat([unfinished, step.bytes]);
    const end = bytes.lastIndexOf('\n') + 1;
    reader.read({ bytes: bytes.subarray(0, end) }, () => undefined);
    unfinished = bytes.subarray(end);
    return reader.lastEventAt;
  };
}

async function take(folder: string, step: Step, momentOf: (step: Step) => number | null): Promise<void> {
  if ('rename' in step) {
    await rename(join(folder, step.rename), join(folder, step.to));
    // The game opens the new file at once.
    await writeFile(join(folder, step.rename), '');
  } else if ('cut' in step) {
    const { atime, mtime } = await stat(join(folder, step.cut));
    await copyFile(join(folder, step.cut), join(folder, `${step.to}.next`));
    await utimes(join(folder, `${step.to}.next`), atime, mtime);
    await rename(join(folder, `${step.to}.next`), join(folder, step.to));
    await truncate(join(folder, step.cut));
  } else await append(join(folder, step.file), step.bytes, momentOf(step));
}

/** @param at the file's time, which dates a log without a header; null: now */
async function append(path: string, bytes: Buffer, at: number | null): Promise<void> {
  if (at === null) return await appendFile(path, bytes);
  // Nobody sees the file with another time.
  const next = `${path}.next`;
  const before = await readFile(path).catch(() => Buffer.of());
  await writeFile(next, Buffer.concat([before, bytes]));
  await utimes(next, new Date(at), new Date(at));
  await rename(next, path);
}

function cutAnywhere(bytes: Buffer, pieces: number, random: () => number): Buffer[] {
  const cuts = Array.from({ length: pieces - 1 }, () => Math.floor(random() * bytes.length)).toSorted(
    (a, b) => a - b,
  );
  return [0, ...cuts].map((cut, i) => bytes.subarray(cut, cuts[i] ?? bytes.length));
}

/** Nothing is counted of such a line, so it may be cut in two. */
const countsNothing = /^.{8} \| (?:#####|Player .* (?:placed|performed) )/;

const tellsDeath = / (?:killed by|died\.|bled out|committed suicide)/;
const oneDeathMs = 10_000;
const timeOf = (line: string): number => Date.parse(`1970-01-01T${line.slice(0, 8)}Z`);

/** Cuts a run at random places, half of them inside a line. @returns the parts */
function cutInRun(bytes: Buffer, cuts: number, random: () => number): Buffer[] {
  const places = new Set<number>();
  while (places.size < cuts) {
    const start = bytes.indexOf('\n', Math.floor(random() * bytes.length)) + 1;
    const end = bytes.indexOf('\n', start) + 1;
    const line = bytes.toString('latin1', start, end);
    // Not before the header.
    if (start === 0 || end === 0 || !/^\d\d:/.test(line)) continue;
    // A death whose lines are in two files counts in both.
    const before = bytes.toString('latin1', Math.max(0, start - 4_000), start).split('\n');
    if (before.some((one) => tellsDeath.test(one) && timeOf(line) - timeOf(one) <= oneDeathMs)) continue;
    // Between the line's first character and its last.
    const isInside = random() < 0.5 && countsNothing.test(line);
    places.add(isInside ? start + 1 + Math.floor(random() * (end - start - 2)) : start);
  }
  const ends = [...[...places].toSorted((a, b) => a - b), bytes.length];
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
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
