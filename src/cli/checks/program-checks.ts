import { statSync } from 'node:fs';
import { tokenProblem } from '../../bot/token-form.ts';
import { originOf } from '../../config/load.ts';
import { about, type Finding } from './finding.ts';

/** The end of security fixes of each line of Node.js, by its major version. Source: the Node.js release schedule. */
const ends: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
};
const newestLine = 24;

/** Whether this Node.js still gets security fixes. No command runs on one that is too old. @param node `20.19.0` */
export function checkNode(node: string, now: number): Finding {
  const major = Number.parseInt(node, 10);
  const running = about('Node.js', node);
  // Odd lines get fixes for half a year only.
  const end = ends[major];
  const isOver = end === undefined ? major < newestLine : Date.parse(end) < now;
  if (!isOver) return running.good('supported');
  return running.warning(
    `gets no security fixes any more${end === undefined ? '' : ` since ${end}`}`,
    `install Node.js ${newestLine}, then run npm ci in Outpost's folder; a release archive has its own: take the newest`,
  );
}

/** @param warnings of `.env` and the variables */
export function checkVariables(warnings: readonly string[]): Finding[] {
  return warnings.map((found) =>
    about('.env', 'variables').warning(found, 'correct it, then restart Outpost'),
  );
}

/** Whether other users of this machine can read the secrets in `.env`. Windows has no such modes. */
export function checkDotEnvMode(file: string, platform: NodeJS.Platform): Finding[] {
  const stats = platform === 'win32' ? undefined : statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o007) === 0) return [];
  return [
    about('.env', file).warning(
      'every user of this machine can read the secrets in it',
      `run: chmod 600 ${file}`,
    ),
  ];
}

/** Whether the value of DISCORD_TOKEN can be a token at all. It is never quoted. */
export function checkTokenForm(token: string): Finding | null {
  const found = tokenProblem(token);
  if (found === null) return null;
  return about('DISCORD_TOKEN', 'form').wrong(
    found,
    `in the Discord developer portal, open your application, press Bot > Reset Token, and put DISCORD_TOKEN=<that token> into ${originOf('DISCORD_TOKEN')}`,
  );
}
