import { readErrorBody } from './errors.ts';
import { ServiceError, ServiceUnreachableError } from './client-types.ts';
import type { OperationId } from './operations.ts';

export interface TransportOptions {
  fetch: typeof fetch;
  /** Bound on one request, from its start to the answer's last byte. */
  timeoutMs: number;
  onHeaders?: (headers: Headers) => void;
}

export interface Exchange {
  /** Named in errors. */
  operationId: OperationId;
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string;
}

/**
 * One HTTP exchange with the service; resolves with the JSON of a success. A broken connection is retried once, since a
 * server may close a kept-alive connection just as a request is sent.
 * @throws ServiceError for one of the service's errors, ServiceUnreachableError for everything else
 */
export async function exchange(options: TransportOptions, request: Exchange): Promise<unknown> {
  const { status, text, location } = await send(options, request, true);
  if (status >= 300 && status < 400) {
    const target = location === null ? '' : ` to ${location.slice(0, 200)}`;
    throw new ServiceUnreachableError(
      `${request.url.origin} answered ${status}, a redirect${target}; expected the service's own address`,
    );
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new ServiceUnreachableError(
      `${request.url.origin} answered ${status} with a body that is not JSON`,
      { cause },
    );
  }
  if (status >= 200 && status < 300) return body;
  const { data } = readErrorBody.safeParse(body);
  if (data !== undefined) throw new ServiceError(status, data, request.operationId);
  throw new ServiceUnreachableError(`${request.url.origin} answered ${status} with an unknown body`);
}

async function send(
  options: TransportOptions,
  request: Exchange,
  mayRetry: boolean,
): Promise<{ status: number; text: string; location: string | null }> {
  const { url, method, headers, body } = request;
  const signal = AbortSignal.timeout(options.timeoutMs);
  try {
    const response = await options.fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      // What is sent contains a secret or a token, and is for this address alone.
      redirect: 'manual',
      signal,
    });
    options.onHeaders?.(response.headers);
    const location = response.headers.get('location');
    return { status: response.status, text: await response.text(), location };
  } catch (cause) {
    if (mayRetry && !signal.aborted) return await send(options, request, false);
    const reason = signal.aborted
      ? `did not answer within ${options.timeoutMs / 1000} s`
      : 'is not reachable';
    throw new ServiceUnreachableError(`${url.origin} ${reason}`, { cause });
  }
}
