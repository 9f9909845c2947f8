import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Upload } from '../state/attachments.ts';
import { DiscordError, refusals } from '../errors.ts';
import type { Failures } from '../failures.ts';
import type { Interactions } from '../interactions.ts';
import type { State } from '../state/state.ts';
import { applicationRoutes } from './applications.ts';
import { readBody } from './body.ts';
import { callbackRoutes } from './callbacks.ts';
import { channelRoutes } from './channels.ts';
import { commandRoutes } from './commands.ts';
import { guildRoutes } from './guilds.ts';
import { createMessageLimits, type LimitVerdict, type MessageLimits } from './message-limits.ts';
import { type RequestRecord, requestsChannel } from './request-record.ts';
import type { Gateway } from '../gateway.ts';
import { isObject } from '../rules/values.ts';
import { matchRoute, type RestAnswer, type Routes } from './router.ts';
import { webhookRoutes } from './webhooks.ts';

const keptRequests = 20_000;
const answeredRequests = channel(requestsChannel);

/** Discord's REST API below `/api`: reads a request, checks its token, routes and answers it, and records both. */
export function createRest(
  state: State,
  interactions: Interactions,
  failures: Failures,
  gateway: Gateway,
  messageLimits?: MessageLimits,
) {
  const requests: RequestRecord[] = [];
  const limit = createMessageLimits(state, messageLimits);
  const routes: Routes = {
    ...applicationRoutes(gateway),
    ...commandRoutes,
    ...callbackRoutes,
    ...webhookRoutes,
    ...channelRoutes,
    ...guildRoutes,
  };

  async function answer(request: IncomingMessage, record: RequestRecord, url: URL): Promise<RestAnswer> {
    const { body, uploads } = await readBody(request);
    record.body = body;
    record.files = uploads.map((upload) => upload.filename);
    const failure = failures.take(record);
    if (failure?.delayMs !== undefined) await delay(failure.delayMs);
    if (failure && (failure.status !== undefined || failure.cut)) {
      if (failure.afterwards) perform(request, record, url, uploads);
      const { status = 0, body: instead = { message: `${status}: injected failure`, code: 0 } } = failure;
      return { ...failure, status, body: instead };
    }
    const verdict = limit(record.method, record.path);
    if (verdict?.refusal) return { status: 429, body: verdict.refusal, headers: refusedHeaders(verdict) };
    const answered = perform(request, record, url, uploads);
    return verdict ? { ...answered, headers: verdict.headers } : answered;
  }

  function perform(
    request: IncomingMessage,
    { method, path, body: raw }: RequestRecord,
    url: URL,
    uploads: readonly Upload[],
  ): RestAnswer {
    const { handle, params } = matchRoute(routes, method, path);
    // Callbacks and webhooks carry their secret in the path.
    const isOpen = 'token' in params || path === '/gateway';
    if (!isOpen && request.headers.authorization !== `Bot ${state.token}`) throw refusals.unauthorized();
    const body = isObject(raw) ? raw : {};
    return handle({ state, interactions, params, query: url.searchParams, raw, body, uploads });
  }

  async function handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const record: RequestRecord = {
      method: request.method ?? 'GET',
      path: decode(url.pathname.replace(/^\/api(\/v\d+)?/, '')),
      query: url.search,
      body: undefined,
      files: [],
      authorised: request.headers.authorization !== undefined,
      status: 0,
      answer: undefined,
      at: state.now(),
    };
    let result: RestAnswer & { cut?: boolean };
    try {
      result = await answer(request, record, url);
    } catch (error) {
      result =
        error instanceof DiscordError
          ? { status: error.status, body: error.toBody() }
          : { status: 500, body: { message: `the local Discord failed: ${String(error)}`, code: 0 } };
    }
    record.status = result.cut ? 0 : result.status;
    record.answer = result.body;
    requests.push(record);
    answeredRequests.publish(record);
    if (requests.length > keptRequests) requests.splice(0, requests.length - keptRequests);
    if (result.cut) return void request.socket.destroy();
    const text = result.body === undefined ? '' : JSON.stringify(result.body);
    response.writeHead(result.status, {
      ...(text !== '' && { 'content-type': 'application/json' }),
      'content-length': Buffer.byteLength(text),
      ...result.headers,
    });
    response.end(text);
  }

  return { requests, handle };
}

function refusedHeaders({ headers, refusal }: LimitVerdict): Record<string, string> {
  const seconds = String(Math.ceil(refusal?.retry_after ?? 0));
  return { ...headers, 'retry-after': seconds, 'x-ratelimit-scope': 'user' };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
