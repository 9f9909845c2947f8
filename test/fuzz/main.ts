import { parseArgs } from 'node:util';
import buildOnce from '../harness/build.ts';
import { closeConnections } from '../conformance/exchange.ts';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

buildOnce();
say(`${values.count} requests of nonsense, seed ${values.seed}`);
try {
  const began = performance.now();
  const report = await fuzz({
    count: Number(values.count),
    seed: Number(values.seed),
    slowestMs: 1_000,
    growthBytes: 8 * 2 ** 20,
  });
  say(
    `answers: ${Object.entries(report.statuses)
      .map(([status, times]) => `${status} × ${times}`)
      .join(', ')}`,
  );
  say(`slowest: ${report.slowestMs.toFixed(1)} ms`);
  say(
    `held after the first tenth ${mebibytes(report.heldBefore)}, at the end ${mebibytes(report.heldAfter)}`,
  );
  say(`no 5xx, none slower than 1 s, ${((performance.now() - began) / 1_000).toFixed(0)} s`);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  closeConnections();
}
