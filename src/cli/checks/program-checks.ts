import { statSync } from 'node:fs';
import { tokenProblem } from '../../bot/token-form.ts';
import { ConfigError } from '../../config/error.ts';
import { environmentWarnings, originOf } from '../../config/load.ts';
import { version } from '../../process/version.ts';
import { about, inTwo, type Finding } from './finding.ts';
import type { Machine } from './installation.ts';

export const programVersion = (): Finding =>
  about('Outpost', version)('program.version', { node: process.versions.node });

/** What is odd about `.env` and the variables. */
export function checkVariables({ dotEnvFile: file }: Machine): Finding[] {
  const report = about('.env', 'variables');
  try {
    return environmentWarnings(file).map((found) => report('env.warning', { found }));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [report('env.unreadable', inTwo(error.message, 'correct it, then run the check again'))];
  }
}

/** Whether other users of this machine can read the secrets in `.env`. Windows has no such modes. */
export function checkDotEnvMode({ dotEnvFile: file, platform }: Machine): Finding[] {
  const stats = platform === 'win32' ? undefined : statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o007) === 0) return [];
  return [about('.env', file)('env.open', { file })];
}

/** Whether the value of DISCORD_TOKEN can be a token at all. It is never quoted. */
export function checkTokenForm(token: string | null): Finding[] {
  const found = token === null ? null : tokenProblem(token);
  if (found === null) return [];
  return [about('DISCORD_TOKEN', 'form')('token.form', { found, origin: originOf('DISCORD_TOKEN') })];
}

/** A section without a token, or a token without a section. */
export function checkHalfBot(hasSection: boolean, hasToken: boolean): Finding[] {
  if (hasSection === hasToken) return [];
  return [
    hasSection
      ? about('DISCORD_TOKEN', 'the bot')('bot.noToken')
      : about('discord', 'the bot')('bot.noSection'),
  ];
}
