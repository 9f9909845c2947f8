import { parseArgs } from 'node:util';
import buildOnce from '../harness/build.ts';
import { startPgBouncer } from '../harness/pgbouncer.ts';
import { startPostgres } from '../harness/postgres.ts';
import { report, wholeTakeover } from '../takeover/report.ts';
import { disturbProcesses } from '../takeover/run.ts';
import { killWhileFollowing, withoutCuts } from './kill.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    sftp: { type: 'boolean', default: false },
    // How often a tool copies the log and empties it, in the middle of a run.
    cuts: { type: 'string', default: '0' },
    // Several processes that share a store: those that hold something are killed or stopped.
    postgres: { type: 'boolean', default: false },
    stop: { type: 'boolean', default: false },
    pgbouncer: { type: 'boolean', default: false },
    // After which no further process is disturbed, of --postgres.
    minutes: { type: 'string', default: '60' },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
buildOnce();
const kills = Number(values.kills);
const seed = Number(values.seed);
const result = values.postgres ? await disturbed() : await killed();

async function killed() {
  const done = await killWhileFollowing({
    kills,
    seed,
    overSftp: values.sftp,
    logCuts: Number(values.cuts),
    onKill: (count) => {
      if (count % 20 === 0) say(`${count} kills`);
    },
  });
  const said =
    `${done.kills} kills, ${done.working} of them of a process that had stored something, ${done.cuts} cuts of the link, ` +
    `${values.cuts} of the log`;
  const failed = [done.killed, done.undisturbed].flatMap((held, i) =>
    Object.entries(withoutCuts(held)).flatMap(([table, rows]) => {
      const wrong = rows.filter((row) => done.whole[table]?.includes(row) !== true).length;
      const isWrong = wrong > 0 || rows.length !== done.whole[table]?.length;
      return isWrong ? [`${table}: ${wrong} wrong rows of the ${['killed', 'undisturbed'][i]} process`] : [];
    }),
  );
  for (const text of failed) say(`WRONG: ${text}`);
  say(`${failed.length} tables differ from the whole logs`);
  return { ...done, said, failed };
}

async function disturbed() {
  const server = await startPostgres();
  const proxy = values.pgbouncer ? await startPgBouncer(server.url('postgres')) : undefined;
  try {
    const how = values.stop ? 'stop' : 'kill';
    const done = await disturbProcesses({
      adminUrl: server.url('postgres'),
      throughProxy: proxy?.through,
      times: kills,
      seed,
      how,
      onFault: (fault) => say(`WRONG: ${fault}`),
      longestMs: Number(values.minutes) * 60_000,
      onDone: (one) =>
        say(
          `${Math.round(performance.now() / 1000)} s, ${one.moment}: taken over after ${Math.round(wholeTakeover(one))} ms ${JSON.stringify(one.takeover)}`,
        ),
    });
    const { lines, failed } = report(how, done);
    for (const line of [...lines, ...failed.map((text) => `WRONG: ${text}`)]) say(line);
    return {
      killed: done.tables.shared,
      undisturbed: done.tables.undisturbed,
      said: `${failed.length} faults`,
      failed,
    };
  } finally {
    await proxy?.stop();
    await server.remove();
  }
}

const tables = Object.keys(result.undisturbed);
const differing = tables.filter(
  (table) => JSON.stringify(result.killed[table]) !== JSON.stringify(result.undisturbed[table]),
);
for (const table of tables) say(`${table}: ${result.undisturbed[table]?.length} rows`);
for (const table of differing) {
  for (const row of result.killed[table] ?? [])
    if (!result.undisturbed[table]?.includes(row)) say(`- ${row}`);
  for (const row of result.undisturbed[table] ?? [])
    if (!result.killed[table]?.includes(row)) say(`+ ${row}`);
}
say(
  `${result.said}; ` +
    (differing.length === 0 ? 'the stores are alike' : `the stores differ in ${differing.join(', ')}`),
);
process.exitCode = differing.length === 0 && result.failed.length === 0 ? 0 : 1;
