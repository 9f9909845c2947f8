import { parseArgs } from 'node:util';
import buildOnce from '../harness/build.ts';
import { killWhileFollowing } from './kill.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    sftp: { type: 'boolean', default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
buildOnce();
const result = await killWhileFollowing({
  kills: Number(values.kills),
  seed: Number(values.seed),
  overSftp: values.sftp,
  onKill: (done) => {
    if (done % 20 === 0) say(`${done} kills`);
  },
});
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
  `${result.kills} kills, ${result.working} of them of a process that had stored something, ${result.cuts} cuts; ` +
    (differing.length === 0 ? 'the stores are alike' : `the stores differ in ${differing.join(', ')}`),
);
process.exitCode = differing.length === 0 ? 0 : 1;
