import type { Json } from '../discord-types.ts';
import { refusals } from '../errors.ts';
import type { Interactions } from '../interactions.ts';
import type { Upload } from '../state/attachments.ts';
import type { State } from '../state/state.ts';

/** One request of the bot, read and authorised. */
export interface RestRequest {
  state: State;
  interactions: Interactions;
  params: Record<string, string>;
  query: URLSearchParams;
  /** The JSON body, or the `payload_json` of a multipart one; `{}` when there was none. */
  raw: unknown;
  /** The same as an object; anything else is read as an empty one. */
  body: Json;
  uploads: readonly Upload[];
}

export interface RestAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

type Handler = (request: RestRequest) => RestAnswer;

/** What answers, by method and path below `/api/v10`, with parameters as `:name`: `GET /channels/:channel`. */
export type Routes = Record<string, Handler>;

export const ok = (body: unknown): RestAnswer => ({ status: 200, body });
export const noContent: RestAnswer = { status: 204 };

/** Finds what answers a decoded path; of several, the first. @throws DiscordError 404 or 405 */
export function matchRoute(
  routes: Routes,
  method: string,
  path: string,
): { handle: Handler; params: Record<string, string> } {
  const parts = path.split('/');
  let isKnown = false;
  for (const [route, handle] of Object.entries(routes)) {
    const [expected, pattern = ''] = route.split(' ');
    const params = matchPath(pattern.split('/'), parts);
    if (!params) continue;
    if (expected === method) return { handle, params };
    isKnown = true;
  }
  throw isKnown ? refusals.methodNotAllowed() : refusals.notFound();
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
