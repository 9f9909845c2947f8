import { resolve } from 'node:path';
import type { Environment } from '../../config/environment.ts';
import { trustInMemory } from '../../server/files/remote/host-trust.ts';
import { LocalFiles } from '../../server/files/local-files.ts';
import { RemotePlaces } from '../../server/files/remote/remote-places.ts';
import { findListenProblem } from '../../process/listen-problem.ts';
import { storeReader } from '../open-store.ts';
import { CommandFailure, printResult, type Output } from '../output.ts';
import { addServers, notesOf } from './add-servers.ts';
import type { Context } from './context.ts';
import { planDiscord } from './discord-step.ts';
import type { Machine } from './find/usual-folders.ts';
import { idOfKnown, knownOf, readExistingConfig } from './existing-config.ts';
import type { InitOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { Prompts } from './prompts.ts';
import { additionReport, nextText, reportOf, reportText, type Report } from './report.ts';
import { planServers } from './servers-step.ts';
import type { Terminal } from './terminal.ts';
import { wrap } from './wrap.ts';
import { checkNoConfig } from './write-setup.ts';
import { writePlan, type WriteOptions } from './write-plan.ts';

/** Longer than a busy disk takes; a share that hangs longer holds no game server of this machine. */
const fileDeadlineMs = 3_000;
/** Columns, where no terminal says how many. */
const textWidth = 100;
/** The config's default. */
const usualHttpPort = 8080;
const portsTried = 50;

interface SetupWorld {
  environment: Environment;
  /** Where secrets are written. */
  envFile: string;
  /** A variable of the environment or `.env`. */
  variable: (name: string) => string | undefined;
  machine: Machine;
  output: Output;
  /** Null: there is no terminal to ask questions on. */
  terminal: Terminal | null;
  /** For how long a log is watched whose time does not show its clock. */
  watchMs: number;
}

/**
 * Finds or asks for what a config needs, and writes it: all at the end, or nothing.
 * @throws CommandFailure
 */
export async function runSetup(options: InitOptions, world: SetupWorld): Promise<void> {
  const { environment, output, terminal } = world;
  if (options.add !== true) checkNoConfig(environment.configFile);
  const prompts = terminal === null ? null : new Prompts(terminal);
  prompts?.begin(options.add === true ? 'Another game server for Outpost' : 'Outpost setup');
  const report = await withContext(options, world, prompts, options.add === true ? addition : setup);
  if (prompts === null) {
    printResult(output, options, report, wrap(`${reportText(report)}\n\n${nextText(report)}`, textWidth));
  } else {
    prompts.step(reportText(report));
    prompts.end(nextText(report));
  }
}

type Work = (context: Context, files: WriteOptions) => Promise<Report>;

const setup: Work = async (context, files) => {
  const { options, environment } = context;
  const servers = await planServers(context);
  const discord = await planDiscord(context);
  const plan: Plan = { name: options.name ?? null, servers, discord, httpPort: await freeHttpPort() };
  return reportOf(plan, { setup: await writePlan(plan, files), ...placeOf(environment) });
};

/** The usual port of the service, or the next one that no other program uses. */
async function freeHttpPort(): Promise<number> {
  for (let port = usualHttpPort; port < usualHttpPort + portsTried; port++)
    if ((await findListenProblem({ host: '127.0.0.1', port })) === null) return port;
  return usualHttpPort;
}

const addition: Work = async (context, files) => {
  const { options, environment, prompts } = context;
  const existing = await readExistingConfig(files.configFile, options, prompts);
  const others = existing.servers;
  const planned = await planServers({ ...context, known: knownOf(others) });
  const known = planned.flatMap((server) => {
    const id = idOfKnown(server, others);
    return id === null ? [] : [{ server, text: `${server.name} is in the config already, as ${id}` }];
  });
  const [first] = known;
  if (first !== undefined && known.length === planned.length)
    throw new CommandFailure(`${first.text}, so nothing was changed.`);
  for (const { text } of known) context.warn(`${text}.`);
  const servers = planned.filter((server) => known.every((one) => one.server !== server));
  const taken = [...others, ...(await storedServers(environment))].map(({ id }) => id);
  const written = await addServers(existing, servers, taken, files);
  const notes = notesOf(existing, written.serverIds);
  const place = placeOf({ ...environment, configFile: existing.file });
  return additionReport({ servers, setup: written, ...place }, others, notes);
};

/** Also those that left the config: their history is that of no other one. */
const storedServers = async (environment: Environment): Promise<{ id: string }[]> =>
  await storeReader(environment)(
    async (db) => await db.selectFrom('server').select('id').execute(),
    [],
    // This user may not read the store.
  ).catch(() => []);

const placeOf = ({ configFile, storeUrl }: Environment) => ({ configFile: resolve(configFile), storeUrl });

async function withContext(
  options: InitOptions,
  { environment, envFile, variable, machine, output, watchMs }: SetupWorld,
  prompts: Prompts | null,
  work: Work,
): Promise<Report> {
  const quiet = (text: string): void => {
    if (options.json !== true) output.err(text);
  };
  const trust = trustInMemory();
  const local = new LocalFiles({ deadlineMs: fileDeadlineMs });
  const remote = new RemotePlaces({ trust });
  const context: Context = {
    options,
    environment,
    prompts,
    report: prompts === null ? quiet : (text) => prompts.step(text),
    warn: prompts === null ? quiet : (text) => prompts.warn(text),
    local,
    remote,
    trust,
    machine,
    watchMs,
    known: { logs: new Set(), services: new Set() },
  };
  try {
    return await work(context, { configFile: environment.configFile, envFile, variable });
  } finally {
    local.close();
    await remote.close();
  }
}
