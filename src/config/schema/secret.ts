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

/** Messages of the schema about values that may be a secret in the wrong place. */
const messagesWithoutValue = new Set<string>();

/** Zod's options for such a message: the value must not be quoted beside it. */
export function unquoted(message: string): { error: string; abort: true } {
  messagesWithoutValue.add(message);
  return { error: message, abort: true };
}

export const mayHoldSecret = (message: string): boolean => messagesWithoutValue.has(message);

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
