import type { Json } from '../discord-types.ts';
import type { Upload } from '../state/attachments.ts';
import type { Interactions } from '../interactions.ts';
import type { State } from '../state/state.ts';

/** One request of the bot, read and authorised. */
export interface RestRequest {
  state: State;
  interactions: Interactions;
  params: Record<string, string>;
  query: URLSearchParams;
  /** The JSON body, or the `payload_json` of a multipart one; `{}` when there was none. */
  body: unknown;
  uploads: readonly Upload[];
}

export interface RestAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/api/v10`, parameters as `:name`. */
  path: string;
  /** Interaction callbacks and webhooks carry their secret in the path instead of a bot token. */
  open?: true;
  handle: (request: RestRequest) => RestAnswer;
}

export const ok = (body: unknown): RestAnswer => ({ status: 200, body });
export const noContent: RestAnswer = { status: 204 };

/** The body as an object; anything else is read as an empty one. */
export function objectBody(request: RestRequest): Json {
  const { body } = request;
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Json) : {};
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

/** Finds the route of a decoded path; `wrongMethod` when only other methods have it. */
export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): Match | 'wrongMethod' | null {
  const parts = path.split('/');
  let known = false;
  for (const route of routes) {
    const params = matchPath(route.path.split('/'), parts);
    if (!params) continue;
    if (route.method === method) return { route, params };
    known = true;
  }
  return known ? 'wrongMethod' : null;
}

function matchPath(pattern: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, want] of pattern.entries()) {
    const got = parts[index] ?? '';
    if (want.startsWith(':')) params[want.slice(1)] = got;
    else if (want !== got) return null;
  }
  return params;
}

/** A parameter of the matched path. */
export function param(request: RestRequest, name: string): string {
  return request.params[name] ?? '';
}
