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

/** Stands for a value that this release does not know, by the name of its field. */
const standIns: Readonly<Record<string, string>> = {
  status: 'UNKNOWN',
  kind: 'OTHER',
  category: 'OTHER',
  verificationStatus: 'UNVERIFIED',
};

/**
 * Reads an answer of a later release, given what this one finds wrong with it. Unknown fields stay. An unknown value, such
 * as another category of bans, becomes the one that says the least; where there is none, as for a metric, the entry of the
 * list is left out.
 * @returns null when something else is wrong
 */
function readLaterValues(body: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const read: unknown = structuredClone(body);
  const at = (path: readonly PropertyKey[]): unknown =>
    path.reduce((value, key) => (value as Record<PropertyKey, unknown>)[key], read);
  const leftOut = new Map<unknown[], Set<unknown>>();
  for (const { code, path } of issues) {
    if (code === 'unrecognized_keys') continue;
    const field = path.at(-1);
    if (code !== 'invalid_value' || field === undefined || typeof at(path) !== 'string') return null;
    const standIn = standIns[String(field)];
    const entry = path.findLastIndex((_, index) => Array.isArray(at(path.slice(0, index))));
    if (standIn !== undefined) (at(path.slice(0, -1)) as Record<PropertyKey, unknown>)[field] = standIn;
    else if (entry < 0) return null;
    else {
      const list = at(path.slice(0, entry)) as unknown[];
      leftOut.set(list, (leftOut.get(list) ?? new Set()).add(path[entry]));
    }
  }
  for (const [list, indexes] of leftOut) {
    list.splice(0, list.length, ...list.filter((_, index) => !indexes.has(index)));
  }
  return read;
}
