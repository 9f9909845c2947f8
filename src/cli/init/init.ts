import { resolve } from 'node:path';
import type { Command } from 'commander';
import { environmentVariable, readEnvironment } from '../../config/load.ts';
import { port as portSchema, timezone as timezoneSchema } from '../../config/schema/values.ts';
import { trustInMemory } from '../../server/ingest/files/remote/host-trust.ts';
import { LocalFiles } from '../../server/ingest/files/local-files.ts';
import { RemotePlaces } from '../../server/ingest/files/remote/remote-places.ts';
import { CommandFailure, printResult, withJson, type Output } from '../output.ts';
import type { Context } from './context.ts';
import { planDiscord } from './discord-step.ts';
import { freeHttpPort } from './http-port.ts';
import { withInitOptions, type InitOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { Prompts } from './prompts.ts';
import { reportOf, reportText } from './report.ts';
import { planServers } from './servers-step.ts';
import type { Terminal } from './terminal.ts';
import { checkNoConfig } from './write-setup.ts';
import { writePlan } from './write-plan.ts';

const envFile = '.env';
/** Longer than a busy disk takes; a share that hangs longer holds no game server of this machine. */
const fileDeadlineMs = 3_000;

export function addInitCommand(
  program: Command,
  output: Output,
  terminal: Terminal | null = ownTerminal(),
): void {
  const command = program
    .command('init')
    .description('set Outpost up: find the game server, connect the bot, write the config');
  withInitOptions(withJson(command)).action(async (options: InitOptions) => {
    checkOptions(options);
    if (terminal === null && options.yes !== true) {
      throw new CommandFailure(
        'outpost init asks questions, and there is no terminal to ask on. Add --yes to take what the options say and ' +
          'what is found; "outpost init --help" lists the options.',
      );
    }
    if (options.json === true && options.yes !== true) {
      throw new CommandFailure(
        '--json prints nothing but the result, so no questions can be asked. Add --yes.',
      );
    }
    await init(options, output, options.yes === true ? null : terminal);
  });
}

/** Null: the command does not run on one. */
function ownTerminal(): Terminal | null {
  const { stdin, stdout } = process;
  return stdin.isTTY && stdout.isTTY ? { input: stdin, output: stdout } : null;
}

function checkOptions({ queryPort, timezone }: InitOptions): void {
  if (queryPort !== undefined && !portSchema.safeParse(Number(queryPort)).success) {
    throw new CommandFailure('--query-port: expected a port from 1 to 65535');
  }
  const zone = timezone === undefined ? null : timezoneSchema.safeParse(timezone);
  if (zone?.success === false) {
    throw new CommandFailure('--timezone: expected an IANA time zone such as Europe/Berlin or UTC');
  }
}

async function init(options: InitOptions, output: Output, terminal: Terminal | null): Promise<void> {
  const environment = readEnvironment();
  const { configFile } = environment;
  checkNoConfig(configFile);
  const prompts = terminal === null ? null : new Prompts(terminal);
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
    local: local.of('init'),
    remote,
    trust,
  };
  prompts?.begin('Outpost setup');
  try {
    const servers = await planServers(context);
    const discord = await planDiscord(context);
    const plan: Plan = {
      name: options.name ?? null,
      servers,
      discord,
      httpPort: await freeHttpPort(),
    };
    const written = writePlan(plan, { configFile, envFile, variable: environmentVariable });
    const report = reportOf(plan, written, resolve(configFile));
    if (prompts === null) printResult(output, options, report, reportText(report));
    else {
      prompts.step(reportText({ ...report, next: [] }));
      prompts.end(`Next: ${report.next.join(', then ')}`);
    }
  } finally {
    local.close();
    await remote.close();
  }
}
