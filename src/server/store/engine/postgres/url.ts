const scheme = /^postgres(?:ql)?:\/\//i;

/** Whether the location of a store is a database of PostgreSQL, and not a file. */
export function isStoreUrl(location: string): boolean {
  return scheme.test(location);
}

/** The URL for messages and logs: host, port and database only. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return 'postgres://…';
  const { host, pathname, searchParams } = new URL(url);
  return `postgres://${host || (searchParams.get('host') ?? 'localhost')}${pathname}`;
}
