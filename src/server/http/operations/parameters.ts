import type { z } from 'zod';
import type { ErrorDetail } from '../../../api/errors.ts';
import type { Operation } from '../../../api/operations.ts';
import { Problem } from '../answers/problem.ts';

/** Checks one part of a request's input. @throws Problem that lists the mistakes in it */
export function checkInput<Schema extends z.ZodType>(
  where: ErrorDetail['in'],
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalid(detailsOf(where, parsed.error));
}

/** Checks path and query parameters at once. @throws Problem that lists the mistakes in both */
export function checkParameters(
  { params, query }: Pick<Operation, 'params' | 'query'>,
  input: { params: unknown; query: unknown },
): object {
  const path = params.safeParse(input.params);
  const asked = query.safeParse(input.query);
  if (path.success && asked.success) return { ...path.data, ...(asked.data as object) };
  throw invalid([...detailsOf('path', path.error), ...detailsOf('query', asked.error)]);
}

/** The caller determines the number of mistakes, so an answer lists at most this many. */
const mostDetails = 10;
const longestName = 100;

/**
 * The mistakes in one part of the input. Stops after one more than an answer lists, which is enough to say that there
 * are more.
 */
function detailsOf(where: ErrorDetail['in'], error?: z.ZodError): ErrorDetail[] {
  const issues = error?.issues ?? [];
  return issues.slice(0, mostDetails + 1).flatMap((issue): ErrorDetail[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys
        .slice(0, mostDetails + 1)
        .map((key) => ({ in: where, path: key.slice(0, longestName), message: 'unknown parameter' }));
    }
    const message = issue.message.replace(/^Invalid (input|option): /, '');
    return [{ in: where, path: issue.path.map(String).join('.'), message }];
  });
}

function invalid(found: ErrorDetail[]): Problem {
  const details = found.slice(0, mostDetails);
  const lines = details.map(({ path, message }) => `${path}: ${message}`);
  if (found.length > mostDetails) lines.push('and more');
  return new Problem('invalid_parameters', `${lines.join('; ')}.`, { details });
}
