import { mock } from 'node:test';
import { lastMoment, onCron } from '../../src/process/cron.ts';

/*
 * A process of its own, in the zone of its environment: node-cron keeps the first zone that a process asks it for.
 * Prints when each expression runs within the three hours after a moment, and its last moment before another one, as UTC.
 */
interface Asked {
  runs: [from: string, expression: string][];
  last: [until: string, expression: string][];
}

const asked = JSON.parse(process.argv[2]!) as Asked;

async function runsAfter(from: string, expression: string): Promise<string[]> {
  const runs: string[] = [];
  mock.timers.enable({ apis: ['setInterval', 'setTimeout', 'Date'], now: new Date(from) });
  const stop = onCron(expression, () => void runs.push(new Date().toISOString().slice(11, 16)));
  for (let second = 0; second < 3 * 3_600; second += 1) {
    mock.timers.tick(1_000);
    await new Promise(setImmediate);
  }
  stop();
  mock.timers.reset();
  return runs;
}

const runs: string[][] = [];
for (const each of asked.runs) runs.push(await runsAfter(...each));
process.stdout.write(
  JSON.stringify({
    runs,
    last: asked.last.map(([until, expression]) =>
      new Date(lastMoment(expression, Date.parse(until), 7)!).toISOString(),
    ),
  }),
);
