import type { z } from 'zod';
import type { ErrorDetail } from '../../api/errors.ts';
import { Problem } from './problem.ts';

/** Checks one part of a request's input. Throws a `Problem` that lists everything wrong with it. */
export function checkInput<Schema extends z.ZodType>(
  place: ErrorDetail['in'],
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.flatMap((issue): ErrorDetail[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ in: place, path: key.slice(0, 100), message: 'unknown parameter' }));
    }
    const message = issue.message.replace(/^Invalid (input|option): /, '');
    return [{ in: place, path: issue.path.map(String).join('.'), message }];
  });
  throw new Problem(
    'invalid_parameters',
    `${details.map(({ path, message }) => `${path}: ${message}`).join('; ')}.`,
    { details },
  );
}
