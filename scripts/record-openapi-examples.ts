// Runs the service on the demo's data, walks every operation and every error that can be provoked, and keeps trimmed
// answers beside the generator of the OpenAPI document as its examples. Run it when the contract changed, then
// `npm run openapi`. Identifiers and secrets that were made for the run are replaced by ones of the same form.
import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import type { ErrorCode } from '../src/api/errors.ts';
import type { OperationId } from '../src/api/operations.ts';
import { sendTo, walk } from '../test/openapi/walk.ts';
import { startWorld } from '../test/openapi/world.ts';

interface Recorded {
  answers: Partial<Record<OperationId, unknown>>;
  /** Of each code, one answer for all operations … */
  errors: Partial<Record<ErrorCode, Body>>;
  /** … and those of operations that say something else. */
  particular: Partial<Record<OperationId, Partial<Record<ErrorCode, Body>>>>;
}

interface Body {
  error: string;
  message: string;
  requestId: string;
}

const requestId = '9d0137570540fbc625-23';

/** No request can cause them. */
const unprovoked = {
  internal_error: {
    error: 'internal_error',
    message: 'Something failed inside the service. Its log has the cause under this requestId.',
    requestId,
  },
  service_unavailable: {
    error: 'service_unavailable',
    message: 'The database of the service does not answer. Try again in 2 s.',
    requestId,
    retryAfter: 2,
  },
};

const listLength = 3;

/** Lists of resources keep their first three; short values (weekdays, scopes) stay whole. */
function trim(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isShort = value.every((element) => typeof element !== 'object');
    return (isShort ? value : value.slice(0, listLength)).map(trim);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, trim(inner)]));
}

/** Replaces what was made for the run by something that is the same in every run. */
function withoutSecrets(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/app_[\w-]{43}/g, 'app_WdQyOPZlAq8V2cNf0ThuYxBmKj5E3rGs7LIi1okUXaM')
    .replace(/ops_[\w-]{43}/g, 'ops_4nHvSe9tR1bJcPzKqXw3yGuMfD7LiaQ0oTB5WmhEkVs')
    .replace(/opt_[\w-]{43}/g, 'opt_m2KsVxY8eDqLJ4hFzWg9uTRcNb0iXaP6oBQ1yHlvGtE')
    .replace(/prj_[\w-]{12}/g, 'prj_O0NTtZ3OgWgP')
    .replace(/(?<="requestId":")[^"]+/g, requestId);
  return JSON.parse(text) as unknown;
}

/** As text that is the same for every run: without moments, and with one of the two values that seconds of a window have. */
const timeless = (value: unknown): string | undefined =>
  JSON.stringify(value)
    ?.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
    .replace(/\b59\b/g, '60');

/** What differs from the earlier recording in nothing but times stays as it was, so that a diff shows what has changed. */
function keepTimes(before: unknown, now: unknown): unknown {
  if (timeless(before) === timeless(now)) return before;
  if (typeof now !== 'object' || now === null || Array.isArray(now)) return now;
  const earlier = (before ?? {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(now).map(([key, value]) => [key, keepTimes(earlier[key], value)]));
}

const world = await startWorld();
try {
  const recorded: Recorded = { answers: {}, errors: { ...unprovoked }, particular: {} };
  for await (const { step, answer } of walk(world, (step) => sendTo(world.url, step))) {
    const body = withoutSecrets(trim(answer.body));
    if (step.expects === 'not_modified') continue;
    if (step.expects === 'ok') {
      recorded.answers[step.operation] ??= body;
      continue;
    }
    const general = (recorded.errors[step.expects] ??= body as Body);
    if (general.message === (body as Body).message) continue;
    (recorded.particular[step.operation] ??= {})[step.expects] = body as Body;
  }
  const file = new URL('../src/server/http/documentation/openapi/examples.json', import.meta.url);
  const kept = keepTimes(JSON.parse(readFileSync(file, 'utf8')), recorded);
  writeFileSync(file, await format(JSON.stringify(kept), { parser: 'json', printWidth: 110 }));
} finally {
  await world.close();
}
