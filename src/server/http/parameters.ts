import type { z } from 'zod';
import type { ErrorDetail } from '../../api/errors.ts';
import type { Operation } from '../../api/operations.ts';
import { Problem } from './problem.ts';

/** Checks one part of a request's input. Throws a `Problem` that lists everything wrong with it. */
export function checkInput<Schema extends z.ZodType>(
  place: ErrorDetail['in'],
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalid(detailsOf(place, parsed.error));
}

/** Checks path and query parameters at once. Throws a `Problem` that lists everything wrong with both. */
export function checkParameters(
  { params, query }: Pick<Operation, 'params' | 'query'>,
  input: { params: unknown; query: unknown },
): object {
  const path = params.safeParse(input.params);
  const asked = query.safeParse(input.query);
  if (path.success && asked.success) return { ...path.data, ...(asked.data as object) };
  throw invalid([
    ...(path.success ? [] : detailsOf('path', path.error)),
    ...(asked.success ? [] : detailsOf('query', asked.error)),
  ]);
}

function detailsOf(place: ErrorDetail['in'], error: z.ZodError): ErrorDetail[] {
  return error.issues.flatMap((issue): ErrorDetail[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ in: place, path: key.slice(0, 100), message: 'unknown parameter' }));
    }
    const message = issue.message.replace(/^Invalid (input|option): /, '');
    return [{ in: place, path: issue.path.map(String).join('.'), message }];
  });
}

function invalid(details: ErrorDetail[]): Problem {
  return new Problem(
    'invalid_parameters',
    `${details.map(({ path, message }) => `${path}: ${message}`).join('; ')}.`,
    { details },
  );
}
