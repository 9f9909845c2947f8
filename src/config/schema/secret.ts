import { z } from 'zod';

const secretForm =
  'expected { env: NAME }, the name of an environment variable (or line of .env), or { file: PATH }: ' +
  'a secret never stands in this file';

/** Where to read a secret. An invalid value is never quoted: it may be the secret itself. */
export class SecretReference {
  readonly source: { env: string } | { file: string };

  constructor(source: { env: string } | { file: string }) {
    this.source = source;
  }
}

/** Messages about values that may contain a secret in the wrong place. They do not include the value. */
const withoutValue = new Set<string>();

/** Marks a message whose value must not be quoted. */
export function unquoted(message: string): { error: string; abort: true } {
  withoutValue.add(message);
  return { error: message, abort: true };
}

export const mayHoldSecret = (message: string): boolean => withoutValue.has(message);

const variable = z.string(unquoted(secretForm)).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, unquoted(secretForm));
const file = z
  .string(unquoted(secretForm))
  .min(1, unquoted(secretForm))
  .refine((path) => !/\p{Cc}/u.test(path), unquoted(secretForm));

/**
 * A password, key or token: the name of an environment variable, or the path of a file that contains nothing else.
 * Its type is that of the secret, which replaces the reference when the config is parsed (`withSecrets`).
 */
export const secret = z
  .union([z.strictObject({ env: variable }), z.strictObject({ file })], unquoted(secretForm))
  .transform((source) => new SecretReference(source) as unknown as string);
