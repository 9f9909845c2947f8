// Five hundred interactions in ten seconds, as a whole guild asks when a server is down: npm run storm. Ends with 1 when
// a member had to wait a second for the acknowledgement, read of a limit, or was not answered at all.
// `npm run storm -- crowd` and `npm run storm -- crowd elsewhere`: one member who asks 300 times in a minute, then four with
// 2.5 /lookup a second, among a hundred who ask twice, while a server goes down. Ends with 1 when one of the hundred waited
// 3 s or longer or had no fresh answer, or when the post or the alert did not come.
// `npm run storm -- cards [50]`: so many players' cards at once, while others ask twenty times a second. Ends with 1 when anybody
// had to wait a second for the acknowledgement, or a card did not come.
import { crowd } from '../test/e2e/crowd.ts';
import { cardStorm, storm } from '../test/e2e/storm.ts';

if (process.argv[2] === 'crowd') process.exit((await runCrowds(process.argv[3] === 'elsewhere')) ? 0 : 1);
if (process.argv[2] === 'cards') process.exit((await runCards(Number(process.argv[3] ?? 50))) ? 0 : 1);

async function runCards(cards: number): Promise<boolean> {
  const report = await cardStorm(cards);
  const { cardsAcknowledgedAfterMs, othersAcknowledgedAfterMs, drawn, lost } = report;
  for (const [who, times] of [
    ['asked for a card', cardsAcknowledgedAfterMs],
    ['asked beside them', othersAcknowledgedAfterMs],
  ] as const) {
    const within = times.filter((ms) => ms < 1_000).length;
    console.log(
      `${times.length} ${who}: ${within} acknowledged within 1 s, the last after ${Math.max(...times).toFixed(0)} ms`,
    );
  }
  console.log(`${drawn} of ${cards} cards drawn, ${lost.length} lost`);
  for (const one of new Set(lost)) console.log(one);
  const times = [...cardsAcknowledgedAfterMs, ...othersAcknowledgedAfterMs];
  return drawn === cards && lost.length === 0 && times.every((ms) => ms < 1_000);
}

async function runCrowds(elsewhere: boolean): Promise<boolean> {
  let kept = true;
  for (const [greedy, perSecond] of [
    [1, 5],
    [4, 2.5],
  ] as const) {
    const report = await crowd({ seconds: 60, greedy, perSecond, others: 100, elsewhere });
    const waits = report.othersAnsweredAfterMs.toSorted((one, other) => one - other);
    const wait = (share: number): string =>
      `${(waits[Math.ceil(share * waits.length) - 1] ?? 0).toFixed(0)} ms`;
    const seconds = (ms: number | null): string => (ms === null ? 'never' : `${(ms / 1000).toFixed(1)} s`);
    console.log(`${greedy} with ${perSecond} a second, the bot ${elsewhere ? 'elsewhere' : 'embedded'}:`);
    console.log(
      `  the others: ${waits.length} answered, p50 ${wait(0.5)}, p99 ${wait(0.99)}, last ${wait(1)}; ${report.othersStale} stale, ${report.othersRefused} told to wait, ${report.othersLost.length} lost`,
    );
    console.log(
      `  the greedy: ${report.greedyAsked} asked, ${report.greedyRefused} told to wait, ${report.greedyLost.length} lost`,
    );
    console.log(
      `  a server's end: post after ${seconds(report.postAfterMs)}, alert after ${seconds(report.alertAfterMs)}`,
    );
    for (const lost of new Set([...report.othersLost, ...report.greedyLost])) console.log(`  ${lost}`);
    const failures = report.othersStale + report.othersRefused + report.othersLost.length;
    const isTold = report.postAfterMs !== null && report.alertAfterMs !== null;
    kept &&= failures === 0 && (waits.at(-1) ?? Infinity) < 3_000 && isTold;
  }
  return kept;
}

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
