import { resolve } from 'node:path';
import type { Environment } from '../../config/environment.ts';
import { trustInMemory } from '../../server/ingest/files/remote/host-trust.ts';
import { LocalFiles } from '../../server/ingest/files/local-files.ts';
import { RemotePlaces } from '../../server/ingest/files/remote/remote-places.ts';
import { printResult, type Output } from '../output.ts';
import type { Context } from './context.ts';
import { planDiscord } from './discord-step.ts';
import type { Machine } from './find/usual-folders.ts';
import { freeHttpPort } from './http-port.ts';
import type { InitOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { Prompts } from './prompts.ts';
import { nextText, reportOf, reportText } from './report.ts';
import { planServers } from './servers-step.ts';
import type { Terminal } from './terminal.ts';
import { wrap } from './wrap.ts';
import { checkNoConfig } from './write-setup.ts';
import { writePlan } from './write-plan.ts';

/** Longer than a busy disk takes; a share that hangs longer holds no game server of this machine. */
const fileDeadlineMs = 3_000;
/** Columns, where no terminal says how many. */
const textWidth = 100;

export interface SetupWorld {
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
  const { environment, envFile, variable, machine, output, terminal, watchMs } = world;
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
    local,
    remote,
    trust,
    machine,
    watchMs,
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
    const written = writePlan(plan, { configFile, envFile, variable });
    const report = reportOf(plan, written, resolve(configFile), environment.storeUrl);
    if (prompts === null) {
      printResult(output, options, report, wrap(`${reportText(report)}\n\n${nextText(report)}`, textWidth));
    } else {
      prompts.step(reportText(report));
      prompts.end(nextText(report));
    }
  } finally {
    local.close();
    await remote.close();
  }
}
