import { isMap } from 'yaml';
import { ConfigError } from './error.ts';
import type { Config } from './schema.ts';
import { SecretReference } from './schema/secret.ts';
import { store as storeSchema, storeUrlMistake } from './schema/store.ts';
import { readSecret, type SecretSource } from './secrets.ts';
import { parseYaml } from './yaml-mistake.ts';

const keys = ['url', 'listenUrl'] as const;

/**
 * A URL in `store` of a config file; undefined: it has none. Other mistakes of the file are found by `parseConfig`.
 * @throws ConfigError when the secret is missing, or is no URL of PostgreSQL
 */
export function storeUrlIn(
  text: string,
  file: string,
  secrets: SecretSource,
  key: (typeof keys)[number] = 'url',
): string | undefined {
  if (!/^store\s*:/m.test(text)) return undefined;
  const { document, mistake } = parseYaml(text);
  if (mistake !== null || !isMap(document.contents)) return undefined;
  const parsed = storeSchema.safeParse((document.toJS() as { store?: unknown }).store);
  const reference: unknown = parsed.data?.[key];
  if (!(reference instanceof SecretReference)) return undefined;
  const found = readSecret(reference, secrets);
  if (typeof found !== 'string') throw new ConfigError(`${file}: store.${key}: ${found.problem}`);
  refuseMistake(found, key, file);
  return found;
}

/** @throws ConfigError when a secret of `store` is no URL of PostgreSQL */
export function refuseOtherStores({ store }: Config, file: string): void {
  for (const key of keys) {
    const url = store?.[key];
    if (url !== undefined) refuseMistake(url, key, file);
  }
}

function refuseMistake(url: string, key: string, file: string): void {
  const mistake = storeUrlMistake(url);
  if (mistake !== null) throw new ConfigError(`${file}: store.${key}: ${mistake}`);
}
