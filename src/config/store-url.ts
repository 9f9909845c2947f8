import { ConfigError } from './error.ts';
import type { Config } from './schema.ts';
import { SecretReference } from './schema/secret.ts';
import { store as storeSchema, storeUrlMistake } from './schema/store.ts';
import { readSecret, type SecretSource } from './secrets.ts';
import { readYaml } from './read-yaml.ts';

/**
 * `store.url` of a config file; undefined: it has none. Other mistakes of the file are found by `parseConfig`.
 * @throws ConfigError when the secret is missing, or is no URL of PostgreSQL
 */
export function storeUrlIn(text: string, file: string, secrets: SecretSource): string | undefined {
  if (!/^store\s*:/m.test(text)) return undefined;
  const parsed = storeSchema.safeParse(storeIn(text, file));
  const reference: unknown = parsed.data?.url;
  if (!(reference instanceof SecretReference)) return undefined;
  const found = readSecret(reference, secrets);
  if (typeof found !== 'string') throw new ConfigError(`${file}: store.url: ${found.problem}`);
  refuseMistake(found, file);
  return found;
}

/** Undefined: the file has none, or is no YAML. */
function storeIn(text: string, file: string): unknown {
  try {
    return (readYaml(text, file).value as { store?: unknown } | null)?.store;
  } catch {
    return undefined;
  }
}

/** @throws ConfigError when the secret of `store.url` is no URL of PostgreSQL */
export function refuseOtherStore({ store }: Config, file: string): void {
  if (store?.url !== undefined) refuseMistake(store.url, file);
}

function refuseMistake(url: string, file: string): void {
  const mistake = storeUrlMistake(url);
  if (mistake !== null) throw new ConfigError(`${file}: store.url: ${mistake}`);
}
