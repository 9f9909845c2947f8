// One process for many communities: 1,000 projects in files of their own, each with a game server (some dead) and a guild
// with a status post. Figures: the start, the age of checks, CPU and memory of the process, /v1 for callers of many
// projects, and a reload after one project changed. Needs a built dist/. Linux only (/proc).
//   npm run bench:projects -- [--projects 1000] [--dead 0.1] [--seconds 120] [--pollSeconds 30] [--chart none]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startLocalDiscord } from 'local-discord';
import { stringify } from 'yaml';
import { createApplication } from '../src/server/store/applications/applications.ts';
import { hashSecret, newApplicationId, newSecret } from '../src/server/store/applications/credentials.ts';
import { openWriter, storeFile } from '../src/server/store/database.ts';
import { createWorkplace } from '../test/harness/outpost-process.ts';
import { createCaller, quantile } from './latency.ts';

const { values } = parseArgs({
  options: {
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
  const outpost = await workplace.start({ DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl });
  const listening = performance.now() - startedAt;
  await outpost.logged('the bot is online');
  console.log(
    `${count} projects, ${silent} of their servers silent, a check every ${pollSeconds} s, posts with chart ${values.chart}`,
  );
  console.log(
    `start: service after ${listening.toFixed(0)} ms, bot after ${(performance.now() - startedAt).toFixed(0)} ms, ${usage(outpost.pid).cpuSeconds.toFixed(1)} s of CPU`,
  );
  // Every post appears once, and each server finds its place in the period.
  const shown = (): number => indexes.filter((index) => discord.messages(channelOf(index)).length > 0).length;
  while (shown() < count && performance.now() - startedAt < 600_000) await sleep(1_000);
  console.log(`posts: ${shown()} of ${count} after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  await sleep(pollSeconds * 1000);
  const callers = await callersOf(
    outpost.url,
    indexes.filter((index) => index % Math.ceil(count / 20) === 0),
  );

  games.send('forget');
  const before = usage(outpost.pid);
  const times: number[] = [];
  const until = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < until; turn += 1) {
    for (const [place, { caller, slug }] of callers.entries()) {
      const paths = ['/v1/servers', `/v1/server/${slug}-1`, '/v1/leaderboards'];
      times.push(await caller.time(paths[(turn + place) % paths.length] ?? '/v1/servers'));
    }
    await sleep(500);
  }
  const after = usage(outpost.pid);
  games.send('gaps');
  const [{ gaps, open }] = (await once(games, 'message')) as [{ gaps: number[]; open: number[] }];
  const [sortedGaps, sortedTimes] = [gaps, times].map((list) => list.toSorted((a, b) => a - b)) as [
    number[],
    number[],
  ];
  console.log(
    `checks: ${gaps.length}, seconds between two: median ${quantile(sortedGaps, 0.5).toFixed(2)}, p99 ${quantile(sortedGaps, 0.99).toFixed(2)}, waiting at the end ${Math.max(...open).toFixed(2)}`,
  );
  console.log(
    `/v1: ${times.length} requests of ${callers.length} projects, median ${quantile(sortedTimes, 0.5).toFixed(2)} ms, p99 ${quantile(sortedTimes, 0.99).toFixed(2)} ms, slowest ${Math.max(...times).toFixed(0)} ms`,
  );
  console.log(
    `the process: ${((100 * (after.cpuSeconds - before.cpuSeconds)) / seconds).toFixed(1)} % of a core, ${after.megabytes.toFixed(0)} MiB`,
  );

  const identifies = discord.gateway.identifies;
  await write(7, { name: 'Renamed' });
  const cpuBefore = usage(outpost.pid).cpuSeconds;
  const reloadedAt = performance.now();
  outpost.signal('SIGHUP');
  await outpost.logged('config reloaded');
  console.log(
    `reload after one project changed: ${(performance.now() - reloadedAt).toFixed(0)} ms, ${(usage(outpost.pid).cpuSeconds - cpuBefore).toFixed(2)} s of CPU, ${discord.gateway.identifies - identifies} logins`,
  );
} finally {
  await workplace.remove();
  await discord.close();
  games.kill();
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

/** Applications of some of the projects. */
async function callersOf(url: string, some: readonly number[]) {
  const file = storeFile(join(workplace.folder, 'data'));
  const writer = await openWriter(file, { busyTimeoutMs: 10_000 });
  const callers = [];
  for (const index of some) {
    const credentials = { id: newApplicationId(), secret: newSecret() };
    const scopes = ['servers:read', 'leaderboards:read'] as const;
    const application = { id: credentials.id, projectSlug: slugOf(index), name: 'bench', scopes };
    await createApplication(
      writer.db,
      { ...application, secretHash: hashSecret(credentials.secret) },
      Date.now(),
    );
    const caller = createCaller(url);
    const { token: bearer } = await caller.register(credentials);
    caller.use({ 'User-Agent': credentials.id, Authorization: `Bearer ${bearer}` });
    callers.push({ caller, slug: slugOf(index) });
  }
  await writer.close();
  return callers;
}

function usage(pid: number): { cpuSeconds: number; megabytes: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  // utime and stime, in hundredths of a second.
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, megabytes: Number(rss) / 1024 };
}
