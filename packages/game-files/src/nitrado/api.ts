import * as z from 'zod';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { closedError, FileError, remoteError } from '../file-access.ts';
import type { FileToken } from './answers.ts';
import type { RequestBudget } from './request-budget.ts';

export interface NitradoPlace {
  type: 'nitrado';
  /** The number of the game server, as in the address of its page in the web interface. */
  serviceId: string;
  /** A long-life token with the scope "service". */
  token: string;
  /** Another address than Nitrado's, for tests. */
  baseUrl?: string | undefined;
}

export interface NitradoApiOptions extends Omit<NitradoPlace, 'type'> {
  budget: RequestBudget;
  clock: Clock;
  /** A request without an answer fails after this time. */
  deadlineMs?: number;
}

type Query = readonly (readonly [string, string])[];

const nitradoUrl = 'https://api.nitrado.net';

/** Listings of folders with thousands of logs are smaller. */
const maxAnswerBytes = 16 * 1024 * 1024;
/** A download may take this many times as long as another request: a file has megabytes, an answer kilobytes. */
const downloadDeadlines = 3;
/** After a 429, a request waits for a pause of at most this length and is sent once more. If the pause is longer, it fails. */
const shortPauseMs = 5_000;
/** A refused token stays refused until the owner changes something, so Nitrado is not asked again sooner. */
const refusedPauseMs = 10 * 60_000;
const refusedStatuses = new Set([401, 403]);

/** Statuses whose cause is the token, the limits or the whole API, whatever path was asked for. */
const notAboutPaths = new Set([401, 403, 428, 429, 502, 503, 504]);

/**
 * Nitrado's API for one game server. Its answers are untrusted: they are validated, limited in bytes and time, and
 * redirects are not followed. The token is sent to the API only, and appears in no error.
 */
export class NitradoApi {
  readonly #options: Required<Omit<NitradoApiOptions, 'baseUrl'>>;
  readonly #base: URL;
  readonly #running = new Set<AbortController>();
  #refused: { error: FileError; until: number } | null = null;
  #isClosed = false;

  constructor({ baseUrl = nitradoUrl, deadlineMs = 20_000, ...options }: NitradoApiOptions) {
    this.#options = { ...options, deadlineMs };
    this.#base = new URL(baseUrl);
  }

  /** @param path below the game server @throws FileError, with the code `EIO` where the query's path may be the reason */
  async get<Answer>(path: string, query: Query, schema: z.ZodType<Answer>): Promise<Answer> {
    const { serviceId } = this.#options;
    const url = new URL(`/services/${encodeURIComponent(serviceId)}/gameservers${path}`, this.#base);
    for (const [name, value] of query) url.searchParams.append(name, value);
    return await this.#get(url, schema);
  }

  /** All that the token's account has rented. */
  async services<Answer>(schema: z.ZodType<Answer>): Promise<Answer> {
    return await this.#get(new URL('/services', this.#base), schema);
  }

  async #get<Answer>(url: URL, schema: z.ZodType<Answer>): Promise<Answer> {
    const { budget, clock, token } = this.#options;
    if (!/^[\x21-\x7e]+$/.test(token))
      throw remoteError('the token holds characters that no token has', newToken);
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    if (this.#refused !== null && clock.monotonic() < this.#refused.until) throw this.#refused.error;
    for (let isRepeated = false; ; isRepeated = true) {
      budget.take();
      const { deadlineMs } = this.#options;
      const { response, body } = await this.#fetch(url, headers, { maxBytes: maxAnswerBytes, deadlineMs });
      budget.note(response.status, response.headers);
      if (response.ok) return this.#parse(response, body, schema);
      const mayRepeat = response.status === 429 && !isRepeated && budget.pauseMs <= shortPauseMs;
      if (!mayRepeat) {
        const error = this.#refusal(response.status, body);
        const isFinal = refusedStatuses.has(response.status);
        if (isFinal) this.#refused = { error, until: clock.monotonic() + refusedPauseMs };
        throw error;
      }
      // A timer may end a moment early.
      await sleep(budget.pauseMs + 10);
    }
  }

  /** Downloads the bytes behind a file's token. @throws FileError when there are more than `maxBytes` */
  async download({ url: text, token }: FileToken, maxBytes: number): Promise<Buffer> {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || (url.protocol !== 'https:' && url.origin !== this.#base.origin)) {
      throw remoteError('Nitrado named an address for the file that is not encrypted or none at all');
    }
    if (typeof token === 'string' && !url.searchParams.has('token')) url.searchParams.set('token', token);
    const deadlineMs = this.#options.deadlineMs * downloadDeadlines;
    const { response, body } = await this.#fetch(url, {}, { maxBytes, deadlineMs });
    if (response.ok && isWebPage(response)) throw webPage(url, body);
    if (response.ok) return body;
    const message = `Nitrado's file server refused the file (HTTP ${response.status})`;
    throw new FileError({ code: 'EIO', message });
  }

  close(): void {
    this.#isClosed = true;
    for (const controller of this.#running) controller.abort();
  }

  async #fetch(
    url: URL,
    headers: Record<string, string>,
    { maxBytes, deadlineMs }: { maxBytes: number; deadlineMs: number },
  ) {
    if (this.#isClosed) throw closedError();
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), deadlineMs);
    this.#running.add(controller);
    try {
      const response = await fetch(url, { headers, redirect: 'manual', signal: controller.signal });
      return { response, body: await readBounded(response, maxBytes) };
    } catch (error) {
      if (this.#isClosed) throw closedError();
      if (error instanceof FileError) throw error;
      const why = controller.signal.aborted
        ? `has not answered within ${deadlineMs / 1000} seconds`
        : `cannot be reached (${causeOf(error)})`;
      throw remoteError(
        `${url.host} ${why}`,
        'check the connection of this machine; it is tried again by itself',
      );
    } finally {
      clearTimeout(timer);
      this.#running.delete(controller);
    }
  }

  #parse<Answer>(response: Response, body: Buffer, schema: z.ZodType<Answer>): Answer {
    const json = parseJson(body);
    if (json === null && (isWebPage(response) || /^\s*</.test(body.toString('latin1', 0, 100)))) {
      throw webPage(this.#base, body);
    }
    const parsed = z.object({ data: schema }).safeParse(json);
    if (parsed.success) return parsed.data.data;
    const answer = this.#messageOf(json);
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    throw remoteError(
      answer === ''
        ? `Nitrado answered with something unexpected (at "${where}")`
        : `Nitrado answered ${answer}`,
    );
  }

  #refusal(status: number, body: Buffer): FileError {
    const { serviceId, budget } = this.#options;
    const answer = this.#messageOf(parseJson(body)) || `HTTP ${status}`;
    const code = notAboutPaths.has(status) ? 'EREMOTE' : 'EIO';
    const refusal = (message: string, remedy?: string): FileError => new FileError({ code, message, remedy });
    switch (status) {
      case 401:
        return refusal(`Nitrado does not accept the token: it answered ${answer}`, newToken);
      case 403:
        return refusal(
          `the token may not access the game server ${serviceId}: Nitrado answered ${answer}`,
          'create a long-life token with the scope "service" in the account that rents the server, or is allowed to manage it',
        );
      case 429:
        // It has read from the headers how long to wait.
        return (
          budget.refusal() ??
          refusal('Nitrado allows no more requests for the moment; it is tried again by itself')
        );
      case 428:
      case 503:
        return refusal(
          `Nitrado is busy or under maintenance: it answered ${answer}; it is tried again by itself`,
        );
      default:
        return refusal(`Nitrado answered ${answer}`);
    }
  }

  /** The provider's message in quotes on one short line; empty: there is none. */
  #messageOf(json: unknown): string {
    const message = (json as { message?: unknown } | null)?.message;
    if (typeof message !== 'string' || message.trim() === '') return '';
    return quoted(message.replaceAll(this.#options.token, '…'));
  }
}

const newToken =
  'create a long-life token with the scope "service" in the developer portal of the web interface';

const isWebPage = ({ headers }: Response): boolean =>
  /^text\/html\b/i.test(headers.get('content-type') ?? '');

function webPage({ host }: URL, body: Buffer): FileError {
  const title = /<title[^>]*>([^<]{1,500})/i.exec(body.toString('utf8', 0, 10_000))?.[1];
  return remoteError(
    `${host} answered with a web page instead of data${title === undefined ? '' : `: ${quoted(title)}`}`,
    'Nitrado may be under maintenance, or a proxy or firewall answers in its place; it is tried again by itself',
  );
}

/** In quotes, on one short line. */
function quoted(text: string): string {
  return `"${text
    .replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 200)}"`;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

async function readBounded(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes)
      throw remoteError(`Nitrado sent more than the ${maxBytes} bytes that were expected`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Never contains the message of an error of `fetch`, which may contain the address or a header. */
function causeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : 'the connection broke off';
}
