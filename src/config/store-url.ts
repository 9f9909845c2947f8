/** What a URL of PostgreSQL has to be. The URL itself is never quoted: it contains a password. */
const storeUrlExpectation =
  'expected a URL such as postgres://USER:PASSWORD@HOST:5432/DATABASE; in user and password write # as %23, ' +
  '/ as %2F, ? as %3F, @ as %40 and % as %25';

/** The driver ignores options that it does not know, as some hosts' URLs have them: with these, it connects encrypted. */
const encryption = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'];

/**
 * What is wrong with the URL of a store; null: it names a database. A misspelt `sslmode` would leave the connection
 * unencrypted. `isStoreUrl` of the store only decides whether a text is a URL or a file.
 */
export function storeUrlMistake(text: string): string | null {
  const isUrl = /^postgres(?:ql)?:\/\//i.test(text) && URL.canParse(text);
  if (!isUrl || new URL(text).pathname.length <= 1) return storeUrlExpectation;
  const misspelt = [...new URL(text).searchParams.keys()].find(
    (name) => /^ssl/i.test(name) && !encryption.includes(name),
  );
  return misspelt === undefined
    ? null
    : `the URL has an option ${JSON.stringify(misspelt)}, which is ignored; expected one of ${encryption.join(', ')}`;
}
