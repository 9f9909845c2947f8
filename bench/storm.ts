// Five hundred interactions in ten seconds, as a whole guild asks when a server is down: npm run storm. Ends with 1 when
// a member had to wait a second for the acknowledgement, read of a limit, or was not answered at all.
import { storm } from '../test/e2e/storm.ts';

const report = await storm(Number(process.argv[2] ?? 500), Number(process.argv[3] ?? 10));
const sorted = report.acknowledgedAfterMs.toSorted((one, other) => one - other);
const at = (share: number): string => `${(sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(0)} ms`;
console.log(
  `${report.asked} asked, ${sorted.length} acknowledged: p50 ${at(0.5)}, p99 ${at(0.99)}, last ${at(1)}`,
);
console.log(`${report.lost.length} lost, ${report.limitErrors.length} told of a limit`);
console.log(`${report.requests} requests of the bot to the service, ${report.refused} refused for a limit`);
for (const lost of new Set(report.lost)) console.log(lost);
for (const error of new Set(report.limitErrors)) console.log(error);
const kept =
  report.lost.length === 0 && report.limitErrors.length === 0 && (sorted.at(-1) ?? Infinity) < 1000;
process.exit(kept ? 0 : 1);
