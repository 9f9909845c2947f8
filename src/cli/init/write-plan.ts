import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { parseConfig } from '../../config/parse.ts';
import { readTextFile } from '../../config/text-file.ts';
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

/** Writes the config of a plan and its secrets. @throws CommandFailure, and nothing is written */
export function writePlan(plan: Plan, { configFile, envFile, variable }: WriteOptions): WrittenSetup {
  const { text, secrets, serverIds } = configText(plan, {
    hasSchema: existsSync(join(dirname(configFile), 'outpost.schema.json')),
    mayUse: (name, secret) => (variable(name) ?? secret) === secret,
  });
  const token = plan.discord?.newToken ?? null;
  if (token !== null) secrets.set('DISCORD_TOKEN', token);
  // What the service would refuse must not be written.
  parseConfig(text, configFile, knownGames, { variable: (name) => secrets.get(name), file: readTextFile });
  const inFile = parseEnv(readEnvFile(envFile));
  const isSet = (name: string): boolean => variable(name) !== undefined && variable(name) !== inFile[name];
  const names = [...secrets.keys()];
  writeSetup({ configFile, configText: text, envFile, secrets });
  return {
    serverIds,
    variables: names,
    overridden: names.filter((name) => isSet(name) && variable(name) !== secrets.get(name)),
  };
}
