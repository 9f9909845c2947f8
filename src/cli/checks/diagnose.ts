import type { Environment } from '../../config/environment.ts';
import { ConfigError } from '../../config/error.ts';
import { environmentWarnings, readEnvironment } from '../../config/load.ts';
import { storeLocation, storeProblem } from '../../server/store/engine/database.ts';
import { StoreError } from '../../server/store/engine/error.ts';
import { storeReader, type ReadStore } from '../open-store.ts';
import type { DataInspection } from './data/data-process.ts';
import { checkPostgres } from './data/postgres-checks.ts';
import { about, type Finding } from './finding.ts';
import { readInstalled } from './installation.ts';
import { thisMachine, type Machine } from './machine.ts';
import { checkDotEnvMode, checkNode, checkTokenForm, checkVariables } from './program-checks.ts';
import { runChecks, type Check, type Group, type GroupedFinding } from './run-checks.ts';
import { withChecks } from './table.ts';

interface DiagnoseOptions {
  machine?: Machine;
  /** A check that takes longer is given up, and reported. */
  timeoutMs?: number;
  onEnd?: ((done: number, total: number) => void) | undefined;
}

/** Longer than a login at a slow host and its requests. */
const defaultTimeoutMs = 30_000;
/** A check of the store reads about 120 MB a second. */
const dataTimeoutMs = 60_000;

/** Checks an installation. Never rejects, never writes, and ends whatever hangs. */
export async function diagnose(options: DiagnoseOptions = {}): Promise<GroupedFinding[]> {
  const { machine = thisMachine, timeoutMs = defaultTimeoutMs, onEnd } = options;
  const run = async (checks: readonly Check[]): Promise<GroupedFinding[]> =>
    await runChecks(checks, { timeoutMs, onEnd });
  const own = programChecks(machine);
  const found = attempt(readEnvironment);
  if ('mistakes' in found) return await run([...own, known('program', '.env', found.mistakes)]);
  const environment = found.value;
  const { dataFolder, configFile, storeUrl } = environment;
  const inspection = machine.inspectDataFolder(
    { folder: dataFolder, hasStore: storeUrl === undefined },
    Math.max(timeoutMs, dataTimeoutMs),
  );
  const basic = [...own, ...basicChecks(environment, inspection)];
  const installed = attempt(() => readInstalled(environment, configFile));
  if ('mistakes' in installed) return await run([...basic, known('config', configFile, installed.mistakes)]);
  const { holder } = inspection;
  const read = readerOf(environment, inspection);
  return await withChecks(
    { command: 'doctor', ...installed.value, environment, machine, read, holder },
    async (checks) => await run([...basic, ...checks]),
  );
}

/** A data folder that does not answer, and a store that cannot be read, have checks of their own. */
function readerOf(environment: Environment, { holder }: DataInspection): ReadStore {
  const read = storeReader(environment);
  return async (work, otherwise) => {
    if ((await holder) === undefined) return otherwise;
    try {
      return await read(work, otherwise);
    } catch (error) {
      const isKnown = error instanceof StoreError || storeProblem(storeLocation(environment), error) !== null;
      if (!isKnown) throw error;
      return otherwise;
    }
  };
}

type Attempt<T> = { value: T } | { mistakes: Finding[] };

function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { value: read() };
  } catch (error) {
    return { mistakes: mistakesOf(error instanceof ConfigError ? error : new ConfigError(String(error))) };
  }
}

/** Each mistake with its line. */
function mistakesOf({ message, mistakes }: ConfigError): Finding[] {
  if (mistakes.length > 0) {
    return mistakes.map(({ file, line, key, message: found }) =>
      about(key === '' ? 'config' : key, `${file}, line ${line}`).wrong(
        found,
        'correct the line, then run the doctor again',
      ),
    );
  }
  const [found = message, ...others] = message.split('\n');
  const next = others.map((line) => line.trim().replace(/\.$/, '')).join('. ');
  return [about('config', 'reading').wrong(found, next || 'correct it, then run the doctor again')];
}

const known = (doctor: Group, subject: string, findings: readonly Finding[]): Check => ({
  doctor,
  subject,
  run: async () => findings,
});

function programChecks({ node, platform, now, dotEnvFile: file }: Machine): Check[] {
  return [
    { doctor: 'program', subject: 'Node.js', run: async () => [checkNode(node, now())] },
    { doctor: 'program', subject: 'variables', run: async () => variables(file) },
    { doctor: 'program', subject: '.env', run: async () => checkDotEnvMode(file, platform) },
  ];
}

function variables(dotEnv: string): Finding[] {
  const warnings = attempt(() => environmentWarnings(dotEnv));
  return 'mistakes' in warnings ? warnings.mistakes : checkVariables(warnings.value);
}

/** What is checked whatever the config says. */
function basicChecks(environment: Environment, inspection: DataInspection): Check[] {
  const { discordToken: token } = environment;
  const form = token === null ? null : checkTokenForm(token);
  return [
    {
      doctor: 'data',
      subject: 'the data folder',
      // It ends by itself, and says then how far it has come.
      timeoutMs: 2 * dataTimeoutMs,
      run: () => inspection.findings,
    },
    { doctor: 'data', subject: 'the store on PostgreSQL', run: () => checkPostgres(environment) },
    known('discord', 'DISCORD_TOKEN', form === null ? [] : [form]),
  ];
}
