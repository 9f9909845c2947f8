import type { z } from 'zod';
import { ServiceUnreachableError } from './client-types.ts';
import { readLaterValues } from './later-values.ts';
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
