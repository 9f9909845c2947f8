import { parseArgs } from 'node:util';
import buildOnce from '../harness/build.ts';
import { cases } from './cases/index.ts';
import { closeConnections } from './exchange.ts';
import { createReport } from './report.ts';
import { runCase, type Verdict, type Worlds } from './runner.ts';
import { startClockWorld } from './world/clock.ts';
import { startProcessWorld } from './world/process.ts';
import { reachRemote } from './world/remote.ts';
import { startShared } from './world/shared.ts';
import type { Facts } from './world/service.ts';

const factOptions = {
  server: 'server',
  'ban-list': 'banList',
  'live-server': 'liveServer',
  'steam-id64': 'steamId64',
  'battleye-guid': 'battleyeGuid',
  'cftools-id': 'cftoolsId',
  'unknown-player': 'unknownPlayer',
} as const satisfies Record<string, keyof Facts>;

const usage = `npm run conformance [-- options]

Proves the specification case by case, against the process in dist/ (built first) and, where time matters, against the
service inside this process with a clock that is turned.

  --only TEXT             only cases whose section or name holds the text
  --slow                  also those that take minutes of real time
  --shared                three processes that serve behind a balancer, and one with the other roles, on one PostgreSQL; with
                          OUTPOST_TEST_POSTGRES_VERSION=14 on that version, with OUTPOST_TEST_PGBOUNCER=1 through PgBouncer
  --port N --via URL      let the process listen on port N and send its requests to URL, a proxy in front of it

Against a service elsewhere:
  --base-url URL --application-id ID --secret SECRET
                          an application with every scope, of a project on the highest plan
  --live-server ID        a server that answers queries
  ${Object.keys(factOptions)
    .filter((name) => name !== 'live-server')
    .map((name) => `--${name}`)
    .join(', ')}
                          what to look at; by default what the service lists first
`;

const string = { type: 'string' } as const;
const boolean = { type: 'boolean', default: false } as const;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      help: boolean,
      slow: boolean,
      shared: boolean,
      only: string,
      port: string,
      via: string,
      'base-url': string,
      'application-id': string,
      secret: string,
      ...Object.fromEntries(Object.keys(factOptions).map((name) => [name, string])),
    },
  });
  const out = (text: string): void => void process.stdout.write(`${text}\n`);
  if (values.help) {
    out(usage);
    return 0;
  }
  const option = (name: string): string | undefined =>
    (values as unknown as Record<string, string | undefined>)[name];
  const began = performance.now();
  const worlds = await openWorlds(option, values.shared);
  try {
    out(
      'Conformance with the Public API v1: the specification (spec) and the decisions on its gaps (design)',
    );
    for (const world of new Set(Object.values(worlds))) out(`  against ${world.title}`);
    const report = createReport(out);
    const only = option('only')?.toLowerCase() ?? '';
    for (const one of cases) {
      if (!`${one.section} ${one.name}`.toLowerCase().includes(only)) continue;
      const start = performance.now();
      const verdict: Verdict =
        one.slow === true && !values.slow
          ? { outcome: 'not applicable', reason: 'takes minutes: --slow' }
          : await runCase(worlds, one);
      report.add(one, verdict, performance.now() - start);
    }
    report.end((performance.now() - began) / 1_000);
    return report.counts.failed === 0 && report.counts.passed > 0 ? 0 : 1;
  } finally {
    closeConnections();
    for (const world of new Set(Object.values(worlds))) await world.close();
  }
}

async function openWorlds(option: (name: string) => string | undefined, isShared: boolean): Promise<Worlds> {
  const baseUrl = option('base-url');
  if (baseUrl === undefined) {
    buildOnce();
    const port = option('port');
    const via = option('via');
    const own = await startProcessWorld({
      ...(port === undefined ? {} : { port: Number(port) }),
      ...(via === undefined ? {} : { via }),
      ...(isShared ? { start: startShared } : {}),
    });
    return { any: own, own, clock: await startClockWorld() };
  }
  const id = option('application-id');
  const secret = option('secret');
  if (id === undefined || secret === undefined)
    throw new Error('--base-url needs --application-id and --secret');
  const facts: Partial<Facts> = {};
  for (const [name, fact] of Object.entries(factOptions)) {
    const value = option(name);
    if (value !== undefined) facts[fact] = value;
  }
  return { any: await reachRemote({ baseUrl, credentials: { id, secret }, facts }) };
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}
