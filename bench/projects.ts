// One process for many communities: 1,000 projects in files of their own, each with a game server (some dead) and a guild
// with a status post. Figures: the start, the age of checks, CPU and memory of the process, /v1 for callers of many
// projects, a reload after one project changed, and a start again. With --postgres four processes share the work, on a
// PostgreSQL that flushes its commits. Needs a built dist/. Linux only (/proc).
//   npm run bench:projects -- [--postgres] [--projects 1000] [--dead 0.1] [--seconds 120] [--pollSeconds 30] [--chart none]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startLocalDiscord } from 'local-discord';
import { stringify } from 'yaml';
import { openWriter, storeFile } from '../src/server/store/engine/database.ts';
import { createWorkplace } from '../test/harness/outpost-process.ts';
import { createDatabase } from '../test/harness/postgres-databases.ts';
import { durable, startPostgres } from '../test/harness/postgres.ts';
import { createCaller, median, quantile } from './latency.ts';
import { startCallers } from './load.ts';
import type { Load } from './process-load.ts';
import { cpuSeconds, familyCpuSeconds, residentMegabytes } from './process-usage.ts';
import { addApplication, newCredentials } from './store.ts';

const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    projects: { type: 'string', default: '1000' },
    dead: { type: 'string', default: '0.1' },
    seconds: { type: 'string', default: '120' },
    pollSeconds: { type: 'string', default: '30' },
    chart: { type: 'string', default: 'none' },
  },
});
const count = Number(values.projects);
const silent = Math.round(count * Number(values.dead));
const [seconds, pollSeconds] = [Number(values.seconds), Number(values.pollSeconds)];
const token = 'local-bench-token';
const idOf = (kind: bigint, index: number): string =>
  String(1_100_000_000_000_000_000n + kind * 1_000_000n + BigInt(index));
const guildOf = (index: number): string => idOf(1n, index);
const channelOf = (index: number): string => idOf(2n, index);
const slugOf = (index: number): string => `project-${String(index).padStart(4, '0')}`;

const games = fork(fileURLToPath(new URL('game-servers.ts', import.meta.url)), [
  String(count - silent),
  String(silent),
]);
const [{ ports, silentPorts }] = (await once(games, 'message')) as [
  { ports: number[]; silentPorts: number[] },
];
const indexes = Array.from({ length: count }, (_, index) => index);
const queryPorts = [...ports, ...silentPorts];
const discord = await startLocalDiscord({
  token,
  shards: 1,
  guilds: indexes.map((index) => ({
    id: guildOf(index),
    name: slugOf(index),
    channels: [{ id: channelOf(index), name: 'general' }],
  })),
});
const workplace = await createWorkplace();
const callers = startCallers();
const postgres = values.postgres ? await startPostgres(undefined, durable) : undefined;
/** Where the store is, and what each process does; the first ones serve. */
const location =
  postgres === undefined
    ? storeFile(join(workplace.folder, 'data'))
    : (await createDatabase(postgres.url('postgres'))).url;
const roles = postgres === undefined ? ['all'] : ['api', 'api', 'poll,follow,bot', 'poll,follow,bot'];
try {
  await workplace.configure({
    live: { pollSeconds },
    projects: [],
    discord: {
      statusPosts: indexes.map((index) => ({
        channelId: channelOf(index),
        servers: [`${slugOf(index)}-1`],
        chart: values.chart as 'none',
      })),
    },
  });
  const folder = join(workplace.folder, 'projects');
  await mkdir(folder);
  const write = async (index: number, more: object = {}): Promise<void> =>
    await writeFile(join(folder, `${slugOf(index)}.yaml`), stringify({ ...projectOf(index), ...more }));
  for (const index of indexes) await write(index);

  const startedAt = performance.now();
  const bot = { DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl };
  const start = (index: number) => {
    const data = join(workplace.folder, `data-${index}`);
    const shared = { OUTPOST_ROLES: roles[index], OUTPOST_DATA: data, OUTPOST_STORE_URL: location };
    return workplace.start({ ...bot, ...(postgres === undefined ? {} : shared) });
  };
  const processes = await Promise.all(roles.map((_, index) => start(index)));
  const listening = performance.now() - startedAt;
  await Promise.any(processes.map((outpost) => outpost.logged('the bot is online')));
  const usage = async () => ({
    at: performance.now(),
    own: await Promise.all(processes.map(({ pid }) => cpuSeconds(pid))),
    postgres: postgres === undefined ? 0 : await familyCpuSeconds(postgres.pid()),
  });
  console.log(
    `${count} projects, ${silent} of their servers silent, a check every ${pollSeconds} s, posts with chart ${values.chart}, load ${loadavg()[0]?.toFixed(1)}`,
  );
  console.log(
    `start: service after ${listening.toFixed(0)} ms, bot after ${(performance.now() - startedAt).toFixed(0)} ms, ${(await usage()).own.map((time) => time.toFixed(1)).join(', ')} s of CPU`,
  );
  // Every post appears once, and each server finds its place in the period.
  const shown = (): number => indexes.filter((index) => discord.messages(channelOf(index)).length > 0).length;
  while (shown() < count && performance.now() - startedAt < 600_000) await sleep(1_000);
  console.log(`posts: ${shown()} of ${count} after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  await sleep(pollSeconds * 1000);
  const serving = processes.slice(0, postgres === undefined ? 1 : 2).map(({ url }) => url);
  const requests = await requestsOf(
    serving,
    // So many that their limits are not reached.
    indexes.filter((index) => index % Math.ceil(count / 50) === 0),
  );

  games.send('forget');
  const before = await usage();
  const task: Load = { requests, connections: 4, pauseMs: 100, seconds };
  const { times } = await callers.run(task);
  const after = await usage();
  games.send('gaps');
  const [{ gaps, open }] = (await once(games, 'message')) as [{ gaps: number[]; open: number[] }];
  console.log(
    `checks: ${gaps.length}, seconds between two: median ${median(gaps).toFixed(2)}, p99 ${quantile(gaps, 0.99).toFixed(2)}, waiting at the end ${Math.max(...open).toFixed(2)}`,
  );
  console.log(
    `/v1: ${times.length} requests with ${requests.length} addresses and tokens, median ${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms, slowest ${Math.max(...times).toFixed(0)} ms`,
  );
  const bounds = [1, 2, 5, 10, 20, 50, 100, Infinity];
  const within = (most: number): number => times.filter((time) => time <= most).length;
  console.log(
    `/v1, up to ms: ${bounds.map((most, index) => `${most}: ${within(most) - within(bounds[index - 1] ?? 0)}`).join(', ')}`,
  );
  const ofACore = (from: number, to: number): string =>
    `${((100_000 * (to - from)) / (after.at - before.at)).toFixed(1)} % of a core`;
  for (const [index, { pid }] of processes.entries()) {
    console.log(
      `${roles[index]}: ${ofACore(before.own[index] as number, after.own[index] as number)}, ${residentMegabytes(pid).toFixed(0)} MiB`,
    );
  }
  if (postgres !== undefined) console.log(`PostgreSQL: ${ofACore(before.postgres, after.postgres)}`);
  console.log(`load at the end: ${loadavg()[0]?.toFixed(1)}`);

  const identifies = discord.gateway.identifies;
  await write(7, { name: 'Renamed' });
  const reloadedFrom = await usage();
  for (const outpost of processes) outpost.signal('SIGHUP');
  await Promise.all(processes.map((outpost) => outpost.logged('config reloaded')));
  const reloaded = await usage();
  const spent = reloaded.own.map((time, index) => (time - (reloadedFrom.own[index] as number)).toFixed(2));
  console.log(
    `reload after one project changed: ${(reloaded.at - reloadedFrom.at).toFixed(0)} ms, ${spent.join(', ')} s of CPU, ${discord.gateway.identifies - identifies} logins`,
  );

  // One that serves; on PostgreSQL, another process has the bot.
  await processes[0]?.stop();
  const restartedAt = performance.now();
  const { pid: again } = await start(0);
  console.log(
    `start again: service after ${(performance.now() - restartedAt).toFixed(0)} ms, ${(await cpuSeconds(again)).toFixed(1)} s of CPU`,
  );
} finally {
  await workplace.remove();
  await discord.close();
  await postgres?.remove();
  games.kill();
  callers.close();
}

function projectOf(index: number) {
  return {
    slug: slugOf(index),
    name: `Project ${index}`,
    servers: [
      {
        id: `${slugOf(index)}-1`,
        name: `Server ${index}`,
        host: '127.0.0.1',
        port: 2302,
        queryPort: queryPorts[index],
        schedules: [
          { kind: 'RESTART', title: 'Restart', recurrence: 'INTERVAL', intervalMinutes: 240, public: true },
        ],
      },
    ],
    banlists: [{ id: `${slugOf(index)}-bans`, name: 'Bans', public: true }],
    guilds: [{ id: guildOf(index) }],
  };
}

/** Requests of applications of some of the projects, to each address that serves. */
async function requestsOf(urls: readonly string[], some: readonly number[]): Promise<Load['requests']> {
  const writer = await openWriter(location, { busyTimeoutMs: 10_000 });
  const caller = createCaller(urls[0] as string);
  const requests: Load['requests'] = [];
  for (const index of some) {
    const credentials = newCredentials();
    await addApplication(writer.db, credentials, slugOf(index));
    const { token: bearer } = await caller.register(credentials);
    const headers = { 'User-Agent': credentials.id, Authorization: `Bearer ${bearer}` };
    for (const path of ['/v1/servers', `/v1/server/${slugOf(index)}-1`, '/v1/leaderboards'])
      requests.push(...urls.map((url) => ({ url: url + path, headers })));
  }
  caller.close();
  await writer.close();
  return requests;
}
