import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseDotEnv } from '../../config/dot-env.ts';
import { parseConfig, readYaml } from '../../config/parse.ts';
import { readProjectFiles } from '../../config/project-files.ts';
import { readTextFile } from '../../config/text-file.ts';
import { CommandFailure } from '../output.ts';
import { knownGames } from '../read-config.ts';
import { configText } from './config-text.ts';
import type { Plan } from './plan.ts';
import { readEnvFile, writeSetup } from './write-setup.ts';

export interface WrittenSetup {
  serverIds: string[];
  /** The variables that were written into `.env`. */
  variables: string[];
  /** Variables whose value in the environment wins over the one in `.env`. */
  overridden: string[];
}

export interface WriteOptions {
  configFile: string;
  envFile: string;
  /** A variable of the environment or `.env`. */
  variable: (name: string) => string | undefined;
}

/** Writes the config of a plan and its secrets. @throws CommandFailure, and no config is written */
export async function writePlan(plan: Plan, options: WriteOptions): Promise<WrittenSetup> {
  const { configFile, variable } = options;
  const { text, secrets, serverIds } = configText(plan, {
    hasSchema: existsSync(join(dirname(configFile), 'outpost.schema.json')),
    mayUse: (name, secret) => (variable(name) ?? secret) === secret,
  });
  const token = plan.discord?.newToken ?? null;
  if (token !== null) secrets.set('DISCORD_TOKEN', token);
  // What the service would refuse must not be written.
  parseConfig(text, configFile, knownGames, { variable: (name) => secrets.get(name), file: readTextFile });
  refuseUsedIds(text, configFile);
  return { ...(await writeConfig({ text, before: null, secrets }, options)), serverIds };
}

interface ConfigChange {
  text: string;
  /** The text of the config that is replaced; null: there is none yet. */
  before: string | null;
  secrets: ReadonlyMap<string, string>;
}

/** Writes a config and its secrets. @throws CommandFailure, and no config is written */
export async function writeConfig(
  { text, before, secrets }: ConfigChange,
  { configFile, envFile, variable }: WriteOptions,
): Promise<Omit<WrittenSetup, 'serverIds'>> {
  const inFile = parseDotEnv(readEnvFile(envFile)).variables;
  const isSet = (name: string): boolean => variable(name) !== undefined && variable(name) !== inFile[name];
  const names = [...secrets.keys()];
  await writeSetup({ configFile, configText: text, configBefore: before, envFile, secrets });
  return {
    variables: names,
    overridden: names.filter((name) => isSet(name) && variable(name) !== secrets.get(name)),
  };
}

/** Files of projects may lie beside the config already. @throws CommandFailure when one has an id of the new config */
function refuseUsedIds(text: string, configFile: string): void {
  const secrets = { variable: () => 'unknown', file: () => 'unknown' };
  const surroundings = () => ({ games: null, secrets });
  try {
    readProjectFiles(dirname(configFile), readYaml(text, configFile), surroundings);
  } catch (error) {
    const { message } = error as Error;
    if (!message.includes(`is already used in ${configFile}`)) return;
    throw new CommandFailure(
      `${message}\nThat would be so with the new config, so nothing was written. Give this community another name with --name, or another Discord server.`,
    );
  }
}
