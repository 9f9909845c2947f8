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
const say = (text: string): void => void process.stdout.write(`${text}\n`);

buildOnce();
say(`${values.count} requests of nonsense, seed ${values.seed}`);
try {
  const { statuses, slowestMs } = await fuzz(Number(values.count), Number(values.seed));
  say(`${JSON.stringify(statuses)}, slowest: ${slowestMs.toFixed(1)} ms`);
} finally {
  closeConnections();
}
