import { resolve } from 'node:path';
import type { Issue } from './issues.ts';
import type { WholeConfig } from './references.ts';
import { SecretReference } from './schema/secret.ts';
import { readProblem, readTextFile } from './text-file.ts';

/** Reads a variable that names a secret. Undefined: it is missing or blank. */
export type ReadVariable = (name: string) => string | undefined;

/**
 * Replaces every reference to a secret by the secret. Secrets that cannot be read are issues at their keys, but not where
 * `active` is false; none is ever quoted.
 * @param folderOf the folder of relative paths at a key
 */
export function withSecrets(
  config: WholeConfig,
  readVariable: ReadVariable,
  folderOf: (path: readonly PropertyKey[]) => string,
): { value: WholeConfig; issues: Issue[] } {
  const issues: Issue[] = [];
  const fill = (part: unknown, path: PropertyKey[], isOff = false): unknown => {
    if (part instanceof SecretReference) {
      const secret = readSecret(part, readVariable, folderOf(path));
      if (typeof secret === 'string') return secret;
      if (!isOff) issues.push({ path, message: secret.problem });
      return '';
    }
    if (Array.isArray(part)) return part.map((item: unknown, index) => fill(item, [...path, index], isOff));
    if (typeof part !== 'object' || part === null) return part;
    const isPartOff = isOff || ('active' in part && part.active === false);
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [key, fill(inner, [...path, key], isPartOff)]),
    );
  };
  return { value: fill(config, []) as WholeConfig, issues };
}

/** The secret that a reference names, or why it cannot be read. */
function readSecret(
  { source: from }: SecretReference,
  readVariable: ReadVariable,
  folder: string,
): string | { problem: string } {
  if ('env' in from) {
    const found = readVariable(from.env);
    if (found !== undefined) return found;
    return { problem: `expected the secret in the environment or in .env: put the line ${from.env}=… there` };
  }
  try {
    // Editors end a file with a line break, which is not part of a password.
    const text = readTextFile(resolve(folder, from.file)).replace(/\r?\n$/, '');
    return text === '' ? { problem: `expected the secret in the file ${from.file}, which is empty` } : text;
  } catch (error) {
    const problem = error as NodeJS.ErrnoException;
    return problem.code === 'ENOENT'
      ? {
          problem: `expected the secret in the file ${problem.path ?? from.file}, which is not there: create it, or correct the path`,
        }
      : { problem: readProblem(from.file, problem).replace('\n', ' ') };
  }
}
