import { statSync } from 'node:fs';
import { ConfigError } from '../../config/error.ts';
import { readDotEnv } from '../../config/text-file.ts';
import { version } from '../../process/version.ts';
import { about, inTwo, type Finding, type Findings } from './finding.ts';
import type { Machine } from './installation.ts';

export const programVersion = (): Finding =>
  about('Outpost', version).good(`on Node.js ${process.versions.node}`);

/** What is odd about `.env`. */
export function checkDotEnv({ dotEnvFile: file }: Machine): Findings {
  const report = about('.env', 'variables');
  try {
    return readDotEnv(file).warnings.map((found) =>
      report.warning(found, 'correct it, then restart Outpost'),
    );
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return report.wrong(...inTwo(error.message, 'correct it, then run the check again'));
  }
}

/** Whether other users of this machine can read the secrets in `.env`. Windows has no such modes. */
export function checkDotEnvMode({ dotEnvFile: file, platform }: Machine): Findings {
  const stats = platform === 'win32' ? undefined : statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o007) === 0) return [];
  const found = 'every user of this machine can read the secrets in it';
  return about('.env', file).warning(found, `run: chmod 600 ${file}`);
}
