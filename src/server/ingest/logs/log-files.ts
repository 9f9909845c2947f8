import { basename, dirname, join, resolve } from 'node:path';
import { fileProblem } from '../errors.ts';
import type { FilePort } from '../files/file-port.ts';

const identityLog = /(?:\.rpt|^serverconsole.*\.log)$/i;

/** Whether a file of this name holds identities instead of an admin log. */
export function isIdentityLog(file: string): boolean {
  return identityLog.test(basename(file));
}

/** Whether a file of this name, in a server's folder of logs, is one that is read. */
export function isServerLog(name: string): boolean {
  return serverLog.test(name);
}

export const serverLog = new RegExp(`${identityLog.source}|\\.adm$`, 'i');

export type LogKind = 'admin-log' | 'rpt' | 'console';

/** What a server's log of this name is. Each start of a game server begins one of each kind. */
export function kindOfLog(file: string): LogKind {
  if (!isIdentityLog(file)) return 'admin-log';
  return /\.rpt$/i.test(file) ? 'rpt' : 'console';
}

export interface ListedFile {
  file: string;
  bytes: number;
  /** It was not asked for but lies beside a log that was. */
  beside: boolean;
}

/** The files to read with their sizes, admin logs before what lies beside them; what is missing goes to `failures`. */
export async function listFiles(
  files: readonly string[],
  lookBeside: boolean,
  failures: { file: string; message: string }[],
  port: FilePort,
): Promise<ListedFile[]> {
  const given = new Map<string, ListedFile>();
  for (const file of files) {
    try {
      const { size: bytes } = await port.stat(file);
      given.set(resolve(file), { file, bytes, beside: false });
    } catch (error) {
      failures.push({ file, message: `${file}: ${fileProblem(error)}` });
    }
  }
  const logs = [...given.values()].filter(({ file }) => !isIdentityLog(file));
  const beside: ListedFile[] = [];
  for (const folder of lookBeside ? new Set(logs.map(({ file }) => dirname(file))) : []) {
    const entries = await port.list(folder, { matching: identityLog, stat: [] });
    for (const name of entries.map((entry) => entry.name).toSorted()) {
      const file = join(folder, name);
      if (given.has(resolve(file))) continue;
      const stat = await port.stat(file).catch(() => null);
      if (stat !== null) beside.push({ file, bytes: stat.size, beside: true });
    }
  }
  return [...logs, ...[...given.values()].filter(({ file }) => isIdentityLog(file)), ...beside];
}
