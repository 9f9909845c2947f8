import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { RemotePlaces, knownHostsInMemory } from 'game-files';
import type { Environment } from '../../config/environment.ts';
import { dotEnvFile, environmentVariable, loadDotEnv, readEnvironment } from '../../config/load.ts';
import { findListenProblem } from '../../process/listen-problem.ts';
import { diagnose } from '../checks/diagnose.ts';
import type { GroupedFinding } from '../checks/run-rows.ts';
import { type Output, printResult } from '../output.ts';
import { wrap } from '../wrap.ts';
import { askWhatToShow, type Bot, connectBot, placePosts } from './discord-questions.ts';
import type { InitOptions } from './options.ts';
import { planServer, type PlannedServer } from './plan.ts';
import { Prompts, type Terminal } from './prompts.ts';
import { Questions, UsageMistake, type World } from './questions.ts';
import { render, type Setup, usualHttpPort } from './render.ts';
import { nextText, reportOf, writtenText } from './report.ts';
import { askTimezone, findGameServers } from './server-questions.ts';
import { checkNoConfig, writeSetup } from './write-setup.ts';
import { limits } from '../limits.ts';

export async function init(output: Output, options: InitOptions, self: Command): Promise<void> {
  const { stdin, stdout } = process;
  const isTerminal = stdin.isTTY && stdout.isTTY && options.yes !== true && !output.json;
  try {
    await runSetup(options, {
      environment: readEnvironment(),
      envFile: dotEnvFile,
      variable: environmentVariable,
      check: async () => {
        loadDotEnv();
        return await diagnose();
      },
      output,
      terminal: isTerminal ? { input: stdin, output: stdout } : null,
    });
  } catch (error) {
    if (error instanceof UsageMistake) self.error(`error: ${error.message}`);
    throw error;
  }
}

interface SetupWorld {
  environment: Environment;
  /** Where secrets are written. */
  envFile: string;
  /** A variable of the environment or `.env`. */
  variable: (name: string) => string | undefined;
  /** Checks what was written. */
  check: () => Promise<GroupedFinding[]>;
  output: Output;
  /** Null: there is no terminal to ask questions on. */
  terminal: Terminal | null;
}

/** Asks for what a config needs, finds the rest, and writes it: all at the end, or nothing. @throws CommandFailure */
export async function runSetup(options: InitOptions, world: SetupWorld): Promise<void> {
  const { environment, output, terminal, envFile, variable, check } = world;
  const { configFile, storeUrl } = environment;
  checkNoConfig(configFile);
  const prompts = terminal === null ? null : new Prompts(terminal);
  prompts?.begin('Outpost setup');
  const say = (text: string): void => {
    if (prompts !== null) prompts.step(text);
    else if (!output.json) output.err(text);
  };
  const warn = prompts === null ? say : (text: string) => prompts.warn(text);
  const questions = new Questions({ options, prompts, warn });
  const knownHosts = knownHostsInMemory();
  const remote = new RemotePlaces({ knownHosts });
  const tools = { options, environment, prompts, questions, remote, knownHosts, report: say, warn };
  let setup: Awaited<ReturnType<typeof askAll>>;
  try {
    setup = await askAll(tools);
  } finally {
    await remote.close();
  }
  const config = render(setup, {
    hasSchema: existsSync(join(dirname(configFile), 'outpost.schema.json')),
    mayUse: (variableName, secret) => (variable(variableName) ?? secret) === secret,
  });
  const { serverIds, secrets } = config;
  if (setup.bot?.newToken != null) secrets.set('DISCORD_TOKEN', setup.bot.newToken);
  const overridden = await writeSetup({ configFile, config, envFile, variable });
  const written = { serverIds, variables: [...secrets.keys()], overridden, configFile: resolve(configFile) };
  prompts?.step('Checking what was written.');
  const report = reportOf(setup, { ...written, storeUrl, findings: await check() });
  if (prompts === null) {
    printResult(output, report, wrap(`${writtenText(report)}\n\n${nextText(report)}`, limits.columns));
  } else {
    prompts.step(writtenText(report));
    prompts.end(nextText(report));
  }
}

/** The questions, in the order in which they are asked: seven at most. */
async function askAll(world: World): Promise<Setup & { bot: Bot | null }> {
  const servers: PlannedServer[] = [];
  for (const found of await findGameServers(world)) servers.push(await planServer(found, world));
  const timezone = await askTimezone(servers, world);
  const bot = await connectBot(world);
  const { hasPage, posts: wanted } = await askWhatToShow(servers, bot, world);
  const posts = bot === null ? [] : await placePosts(wanted, bot, world);
  const name = world.questions.take('name') ?? null;
  world.questions.refuseUnused();
  return { name, servers, timezone, httpPort: await freeHttpPort(), hasPage, bot, posts };
}

/** The usual port of the service, or the next one that no other program uses. */
async function freeHttpPort(): Promise<number> {
  for (let port = usualHttpPort; port < usualHttpPort + limits.httpPorts; port++)
    if ((await findListenProblem({ host: '127.0.0.1', port })) === null) return port;
  return usualHttpPort;
}
