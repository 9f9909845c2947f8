// Measures the public page, as `outpost start` serves it:
//   weight   requests and bytes (brotli) of a browser that opens a server's page
//   cached   CPU of a request for a cached page beside one for a cached /v1/servers, by turns. A page is made anew every
//            two seconds, which counts with it.
// Visitors come from many addresses of 127.0.0.0/8, since each has limits of its own. The service runs on one core, the load
// on the others. The ratios mean something, beside the spread that is printed. Needs a built dist/. Linux only (taskset,
// /proc).
//   npm run bench:page -- [--rounds 6] [--requests 2000 a round]
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { ConfigInput } from '../src/config/schema.ts';
import { storeFile, type Database } from '../src/server/store/engine/database.ts';
import { addSamples } from '../src/server/store/repositories/projects/history.ts';
import { northwood } from '../test/harness/northwood.ts';
import { createWorkplace } from '../test/harness/outpost-process.ts';
import { saveServerState } from '../test/harness/server-states.ts';
import { createCaller, median, type Caller } from './latency.ts';
import { cpuSeconds } from './process-usage.ts';
import { seed } from './seed.ts';
import { addApplication, newCredentials, openStore } from './store.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    requests: { type: 'string', default: '2000' },
  },
});
const [rounds, requests] = [Number(values.rounds), Number(values.requests)];

const bounds = {
  requests: 2,
  bytes: 60_000,
  pageBytes: 30_000,
  scriptBytes: 8_000,
  cpuRatio: 1.5,
};
const serviceCore = '0';
/** An address may ask for 240 pages a minute. */
const requestsOfAddress = 200;

/** As browsers ask. */
const browser = { 'Accept-Encoding': 'gzip, deflate, br', 'Accept-Language': 'en' };
const servers = ['northwood-1', 'northwood-2'];

const credentials = newCredentials();
if (cpus().length > 1) {
  execFileSync('taskset', ['-a', '-c', '-p', `1-${cpus().length - 1}`, String(process.pid)]);
}
const workplace = await createWorkplace();
const config = pageConfig();
const writer = await openStore(storeFile(workplace.environment['OUTPOST_DATA'] as string), config);
try {
  await fill(writer.db);
  await workplace.configure(config);
  const { url, pid } = await workplace.start();
  execFileSync('taskset', ['-a', '-c', '-p', serviceCore, String(pid)]);
  console.log(`Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`);
  await weigh(url);
  const caller = await apiCaller(url);
  await compareCached(url, pid, caller);
  caller.close();
} finally {
  await workplace.remove();
  await writer.close();
}

function pageConfig(): ConfigInput {
  const [project] = northwood({
    applications: [{ id: credentials.id, requestsPerMinute: 1_000_000 }],
  }).projects;
  // Nobody answers there: their states are those that this stores.
  return {
    http: { page: {}, publicUrl: 'https://example.org' },
    live: { pollSeconds: 240 },
    projects: project === undefined ? [] : [project],
  };
}

async function fill(db: Database): Promise<void> {
  await addApplication(db, credentials);
  await seed(db, {
    project: 'northwood',
    serverId: 'northwood-1',
    banListId: 'northwood-bans',
    players: 1_000,
    bans: 100,
  });
  const minute = Math.floor(Date.now() / 60_000);
  const samples = Array.from({ length: 7 * 24 * 60 }, (_, index) => ({
    sampledAt: (minute - index) * 60_000,
    players: Math.round(30 + 20 * Math.sin(index / 230) + 5 * Math.sin(index / 7)),
    maxPlayers: 60,
  }));
  for (const server of servers) await addSamples(db, server, samples);
  await change(db, 40);
}

async function change(db: Database, players: number): Promise<void> {
  const state = {
    status: 'ONLINE',
    map: 'chernarusplus',
    players,
    maxPlayers: 60,
    checkedAt: Date.now(),
  } as const;
  for (const server of servers) await saveServerState(db, server, state);
}

async function weigh(url: string): Promise<void> {
  const page = await load(`${url}/servers/northwood-1`);
  const text = await (await fetch(`${url}/servers/northwood-1`, { headers: browser })).text();
  // Links are not loaded, and what stands in the page (data:) is no request.
  const parts = [...text.matchAll(/<(?:script|img|link|iframe)\b[^>]*?\b(?:src|href)="([^"]+)"/g)]
    .map(([, address]) => (address as string).replaceAll('&amp;', '&'))
    .filter((address) => !address.startsWith('data:'));
  const scripts = await Promise.all(parts.map((part) => load(new URL(part, url).href)));
  const script = scripts.reduce((sum, bytes) => sum + bytes, 0);
  console.log(`\na server's page in a browser`);
  print('requests', 1 + parts.length, bounds.requests, 0);
  print('bytes of the page', page, bounds.pageBytes, 0);
  print('bytes of its script', script, bounds.scriptBytes, 0);
  print('bytes in all', page + script, bounds.bytes, 0);
}

/** Bytes of an answer's body as it is sent. */
async function load(url: string): Promise<number> {
  const asked = get(url, { headers: browser });
  const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
  let bytes = 0;
  for await (const part of answer) bytes += part.length;
  return bytes;
}

async function apiCaller(url: string): Promise<Caller> {
  const caller = createCaller(url);
  const { token } = await caller.register(credentials);
  caller.use({ ...browser, 'User-Agent': credentials.id, Authorization: `Bearer ${token}` });
  return caller;
}

async function compareCached(url: string, pid: number, api: Caller): Promise<void> {
  let addresses = 0;
  const nextAddress = (): string => {
    addresses += 1;
    return `127.2.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
  };
  const micros = async (ask: () => Promise<void>): Promise<number> => {
    const before = await cpuSeconds(pid);
    await ask();
    return (((await cpuSeconds(pid)) - before) / requests) * 1e6;
  };
  const askPage = async (): Promise<void> => {
    for (let left = requests; left > 0; left -= requestsOfAddress) {
      const visitor = createCaller(url, nextAddress());
      visitor.use(browser);
      for (let at = Math.min(left, requestsOfAddress); at > 0; at -= 1) await visitor.time('/');
      visitor.close();
    }
  };
  const askApi = async (): Promise<void> => {
    for (let at = 0; at < requests; at += 1) await api.time('/v1/servers');
  };
  const figures: { page: number; api: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const figure = { page: await micros(askPage), api: await micros(askApi) };
    // The first round warms up.
    if (round > 0) figures.push(figure);
  }
  const ratios = figures.map(({ page, api }) => page / api);
  const middle = (all: readonly number[]): string => median(all).toFixed(0);
  console.log(`\ncached: ${rounds} rounds of ${requests} requests each`);
  console.log(
    `CPU of a request, µs                 / ${middle(figures.map(({ page }) => page))}, /v1/servers ${middle(figures.map(({ api }) => api))}`,
  );
  print('ratio', median(ratios), bounds.cpuRatio, 2, ratios.map((ratio) => ratio.toFixed(2)).join(' '));
}

function print(name: string, value: number, bound: number, digits: number, more = ''): void {
  const verdict = value > bound ? `ABOVE ${bound}` : `at most ${bound}`;
  console.log(
    `${name.padEnd(28)} ${value.toFixed(digits).padStart(8)}   ${verdict.padEnd(14)} ${more}`.trimEnd(),
  );
}
