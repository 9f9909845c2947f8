import { parse } from 'node:querystring';
import type { z } from 'zod';
import type { ErrorDetail } from '../../api/errors.ts';
import type { Operation } from '../../api/operations.ts';
import { Problem } from './problem.ts';

/** No operation takes nearly as many. */
const mostParameters = 20;
/** Stands for those that were not read. It is no parameter of any operation, so the request is refused. */
const unreadParameters = '…';

/** A query as it was sent. Most requests are answered without anybody parsing it. */
export interface QueryText {
  text: string;
}

/** Parses a query or a form: so many parameters and no more, since thousands of them take milliseconds. */
export function parseQuery(text: string): Record<string, unknown> {
  const query = parse(text, '&', '=', { maxKeys: mostParameters });
  if (text.split('&', mostParameters + 1).length > mostParameters) query[unreadParameters] = '';
  return query;
}

/** Checks one part of a request's input. Throws a `Problem` that lists what is wrong with it. */
export function checkInput<Schema extends z.ZodType>(
  place: ErrorDetail['in'],
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalid(detailsOf(place, parsed.error));
}

/** Checks path and query parameters at once. Throws a `Problem` that lists what is wrong with both. */
export function checkParameters(
  { params, query }: Pick<Operation, 'params' | 'query'>,
  input: { params: unknown; query: unknown },
): object {
  const path = params.safeParse(input.params);
  const asked = query.safeParse(parseQuery((input.query as QueryText).text));
  if (path.success && asked.success) return { ...path.data, ...(asked.data as object) };
  throw invalid([
    ...(path.success ? [] : detailsOf('path', path.error)),
    ...(asked.success ? [] : detailsOf('query', asked.error)),
  ]);
}

/** A request decides how much of it is wrong, so an answer names this much of it. */
const mostDetails = 10;
const longestName = 100;

/** What is wrong with one part of the input. Stops one past what an answer names: that there is more is all it says. */
function detailsOf(place: ErrorDetail['in'], error: z.ZodError): ErrorDetail[] {
  return error.issues.slice(0, mostDetails + 1).flatMap((issue): ErrorDetail[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys
        .slice(0, mostDetails + 1)
        .map((key) => ({ in: place, path: key.slice(0, longestName), message: 'unknown parameter' }));
    }
    const message = issue.message.replace(/^Invalid (input|option): /, '');
    return [{ in: place, path: issue.path.map(String).join('.'), message }];
  });
}

function invalid(found: ErrorDetail[]): Problem {
  const details = found.slice(0, mostDetails);
  const lines = details.map(({ path, message }) => `${path}: ${message}`);
  if (found.length > mostDetails) lines.push('and more');
  return new Problem('invalid_parameters', `${lines.join('; ')}.`, { details });
}
