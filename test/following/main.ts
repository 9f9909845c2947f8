import { parseArgs } from 'node:util';
import buildOnce from '../harness/build.ts';
import { startPostgres } from '../harness/postgres.ts';
import { disturbHolder } from './disturb-holder.ts';
import { killWhileFollowing } from './kill.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    sftp: { type: 'boolean', default: false },
    // Processes that share a store, of which the one that follows is killed or stopped.
    postgres: { type: 'boolean', default: false },
    stop: { type: 'boolean', default: false },
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
    onKill: (count) => {
      if (count % 20 === 0) say(`${count} kills`);
    },
  });
  const said = `${done.kills} kills, ${done.working} of them of a process that had stored something, ${done.cuts} cuts`;
  return { ...done, said };
}

async function disturbed() {
  const server = await startPostgres();
  try {
    const how = values.stop ? 'stop' : 'kill';
    const done = await disturbHolder({
      adminUrl: server.url('postgres'),
      times: kills,
      seed,
      how,
      onTime: (ms) => say(`taken over after ${Math.round(ms)} ms`),
    });
    const sorted = done.takeoverMs.toSorted((a, b) => a - b);
    const at = (share: number): number => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
    const said = `${how} ${kills} times, taken over after ${at(0.5)} ms (median), ${at(0.99)} ms (p99), ${at(1)} ms (longest)`;
    return { killed: done.disturbed, undisturbed: done.undisturbed, said };
  } finally {
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
process.exitCode = differing.length === 0 ? 0 : 1;
