// Measures whether many game servers are checked on time while half of them are dead: `outpost start` polls simulated
// servers of another process over UDP on loopback. Figures: seconds from one check of a server that answers to its next
// (as the servers see them), the age of all checks (as the metrics tell), CPU and memory of the service.
// Needs a built dist/. Linux only (/proc).
//   npm run bench:poll -- [--servers 1000] [--dead 0.5] [--seconds 90] [--pollSeconds 15]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createWorkplace } from '../test/harness/outpost-process.ts';
import { quantile } from './latency.ts';

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '1000' },
    dead: { type: 'string', default: '0.5' },
    seconds: { type: 'string', default: '90' },
    pollSeconds: { type: 'string', default: '15' },
  },
});
const count = Number(values.servers);
const silent = Math.round(count * Number(values.dead));
const pollSeconds = Number(values.pollSeconds);

interface Ports {
  ports: number[];
  silentPorts: number[];
}
interface Gaps {
  gaps: number[];
  open: number[];
}

const games = fork(fileURLToPath(new URL('game-servers.ts', import.meta.url)), [
  String(count - silent),
  String(silent),
]);
const [{ ports, silentPorts }] = (await once(games, 'message')) as [Ports];
const metricsPort = await freePort();
const workplace = await createWorkplace();
try {
  const servers = [...ports, ...silentPorts].map((queryPort, index) => ({
    id: `server-${index}`,
    name: `Server ${index}`,
    host: '127.0.0.1',
    port: 2302,
    queryPort,
  }));
  await workplace.configure({
    http: { metrics: { port: metricsPort } },
    live: { pollSeconds },
    projects: [{ slug: 'p', name: 'P', servers }],
  });
  const { pid } = await workplace.start();
  // The first two rounds put each server into its place.
  await sleep(2 * pollSeconds * 1000 + 5_000);
  games.send('forget');
  const before = usage(pid);
  await sleep(Number(values.seconds) * 1000);
  const after = usage(pid);
  games.send('gaps');
  const [{ gaps, open }] = (await once(games, 'message')) as [Gaps];
  const sorted = gaps.toSorted((a, b) => a - b);
  const figure = (value: number): string => value.toFixed(2).padStart(7);
  console.log(
    `${count} servers, ${silent} of them silent, a check every ${pollSeconds} s, ${values.seconds} s`,
  );
  console.log(`checks of servers that answer:      ${sorted.length}`);
  for (const [name, share] of [
    ['median', 0.5],
    ['p95', 0.95],
    ['worst', 1],
  ] as const) {
    console.log(`seconds between two checks, ${name.padEnd(6)} ${figure(quantile(sorted, share))}`);
  }
  const late = sorted.filter((gap) => Math.abs(gap - pollSeconds) > 2).length;
  console.log(`more than 2 s from the period           ${late}`);
  console.log(`waiting at the end, longest        ${figure(Math.max(...open))}`);
  console.log(
    `CPU of the service, % of one core  ${figure(((after.cpuSeconds - before.cpuSeconds) / Number(values.seconds)) * 100)}`,
  );
  console.log(`memory of the service, MB          ${figure(after.megabytes)}`);
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  for (const line of metrics.split('\n')) if (line.startsWith('outpost_server_check_age')) console.log(line);
} finally {
  await workplace.remove();
  games.kill();
}

function usage(pid: number): { cpuSeconds: number; megabytes: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // utime and stime, in hundredths of a second.
  const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / 100;
  const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuSeconds, megabytes: Number(rss) / 1024 };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
