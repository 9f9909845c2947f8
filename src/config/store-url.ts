import { isMap } from 'yaml';
import { ConfigError } from './error.ts';
import type { Config } from './schema.ts';
import { SecretReference } from './schema/secret.ts';
import { store as storeSchema, storeUrlMistake } from './schema/store.ts';
import { readSecret, type SecretSource } from './secrets.ts';
import { parseYaml } from './yaml-mistake.ts';

/**
 * `store.url` of a config file; undefined: it has none. Other mistakes of the file are found by `parseConfig`.
 * @throws ConfigError when the secret is missing, or is no URL of PostgreSQL
 */
export function storeUrlIn(text: string, file: string, secrets: SecretSource): string | undefined {
  if (!/^store\s*:/m.test(text)) return undefined;
  const { document, value, mistake } = parseYaml(text);
  if (mistake !== null || !isMap(document.contents)) return undefined;
  const parsed = storeSchema.safeParse((value as { store?: unknown }).store);
  const reference: unknown = parsed.data?.url;
  if (!(reference instanceof SecretReference)) return undefined;
  const found = readSecret(reference, secrets);
  if (typeof found !== 'string') throw new ConfigError(`${file}: store.url: ${found.problem}`);
  refuseMistake(found, file);
  return found;
}

/** @throws ConfigError when the secret of `store.url` is no URL of PostgreSQL */
export function refuseOtherStore({ store }: Config, file: string): void {
  if (store?.url !== undefined) refuseMistake(store.url, file);
}

function refuseMistake(url: string, file: string): void {
  const mistake = storeUrlMistake(url);
  if (mistake !== null) throw new ConfigError(`${file}: store.url: ${mistake}`);
}
