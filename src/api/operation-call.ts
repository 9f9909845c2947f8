import type { z } from 'zod';
import { ServiceUnreachableError } from './client-types.ts';
import type { Operation } from './operation.ts';

/** The address of a call of an operation: path parameters in the path, the rest as a query in a fixed order. */
export function operationUrl(baseUrl: URL, operation: Operation, input: object): URL {
  const rest = new Map(Object.entries(input));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest.get(name)));
    rest.delete(name);
    // A URL resolves `.` and `..` as steps in the path, even percent-encoded once.
    return value === '.' || value === '..' ? value.replaceAll('.', '%252E') : value;
  });
  const url = new URL(`.${path}`, baseUrl);
  for (const [name, value] of [...rest].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/**
 * The checked body of an answer. A newer service may add fields and values that this client does not know.
 * @throws ServiceUnreachableError when a field is missing or of another type
 */
export function readAnswer<Answered extends Operation>(
  operation: Answered,
  body: unknown,
): z.infer<Answered['response']> {
  const parsed = operation.response.safeParse(body);
  const read = parsed.success ? parsed.data : readLaterValues(body, parsed.error.issues);
  if (read !== null) return read as z.infer<Answered['response']>;
  throw new ServiceUnreachableError(`the answer to ${operation.path} is not of the service's form`, {
    cause: parsed.error,
  });
}

/** By field: the value that says the least. It replaces one that this release does not know. */
const standIns: Readonly<Record<string, string>> = {
  status: 'UNKNOWN',
  kind: 'OTHER',
  category: 'OTHER',
  verificationStatus: 'UNVERIFIED',
};

/**
 * Reads an answer of a later release, given what this one finds wrong with it. Unknown fields stay. An unknown value is
 * replaced by its field's stand-in (a new category of bans is read as `OTHER`). Where the field has none, as with a new
 * metric, the entry of the list around it is left out.
 * @returns null when anything else is wrong
 */
function readLaterValues(body: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const read: unknown = structuredClone(body);
  const valueAt = (path: readonly PropertyKey[]): unknown =>
    path.reduce((value, key) => (value as Record<PropertyKey, unknown>)[key], read);
  /** Indexes of entries, by list. They are removed at the end, so that the paths of other issues stay right. */
  const leftOut = new Map<unknown[], Set<unknown>>();
  for (const { code, path } of issues) {
    if (code === 'unrecognized_keys') continue;
    const field = path.at(-1);
    if (code !== 'invalid_value' || field === undefined || typeof valueAt(path) !== 'string') return null;
    const standIn = standIns[String(field)];
    if (standIn !== undefined) {
      (valueAt(path.slice(0, -1)) as Record<PropertyKey, unknown>)[field] = standIn;
      continue;
    }
    const indexAt = path.findLastIndex((_, depth) => Array.isArray(valueAt(path.slice(0, depth))));
    if (indexAt < 0) return null;
    const list = valueAt(path.slice(0, indexAt)) as unknown[];
    leftOut.set(list, (leftOut.get(list) ?? new Set()).add(path[indexAt]));
  }
  for (const [list, indexes] of leftOut) {
    list.splice(0, list.length, ...list.filter((_, index) => !indexes.has(index)));
  }
  return read;
}
