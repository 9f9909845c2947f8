import { setTimeout as delay } from 'node:timers/promises';

/** An application's id and secret, and a token of it. */
export interface LoadCaller {
  id: string;
  secret: string;
  token: string;
}

export interface LoadOptions {
  urls: readonly string[];
  callers: readonly LoadCaller[];
  perSecond: number;
  /** Paths to read, in turn. */
  paths: readonly string[];
  /** One request of so many registers for a new token, which is used from then on. */
  registerEvery: number;
}

/** An answered request; times by `performance.now()`. */
export interface LoadAnswer {
  path: string;
  status: number;
  /** The `error` of the body. */
  error: string | undefined;
  retryAfter: string | null;
  from: number;
  to: number;
}

export interface SteadyLoad {
  answers: LoadAnswer[];
  /** Requests that ended without an answer. */
  failures: string[];
  /** Every token of the callers: those they began with, and those that were issued under the load. */
  issued: Omit<LoadCaller, 'secret'>[];
  /** The answers to requests that were sent at this moment or later, by `performance.now()`. */
  since(moment: number): LoadAnswer[];
  stop(): Promise<void>;
}

const registerPath = '/v1/auth/register';
/** More at once would only wait in this process. */
const mostWaiting = 500;

/** Registers an application. @returns its token */
export async function register(url: string, { id, secret }: Omit<LoadCaller, 'token'>): Promise<string> {
  const answer = await fetch(url + registerPath, {
    method: 'POST',
    headers: { 'User-Agent': id },
    body: JSON.stringify({ application_id: id, secret }),
  });
  if (!answer.ok) throw new Error(`registering ended with ${answer.status}`);
  return ((await answer.json()) as { token: string }).token;
}

/** Sends requests at a steady rate to processes at random, whether or not the earlier ones were answered. */
export function startSteadyLoad({ urls, callers, perSecond, paths, registerEvery }: LoadOptions): SteadyLoad {
  const load: Pick<SteadyLoad, 'answers' | 'failures' | 'issued'> = {
    answers: [],
    failures: [],
    issued: callers.map(({ id, token }) => ({ id, token })),
  };
  const waiting = new Set<Promise<void>>();
  let sent = 0;

  const send = async (): Promise<void> => {
    const caller = callers[sent % callers.length] as LoadCaller;
    const isRegister = sent % registerEvery === 0;
    const path = isRegister ? registerPath : (paths[sent % paths.length] as string);
    const url = urls[Math.floor(Math.random() * urls.length)] as string;
    const { id, secret, token } = caller;
    const headers = { 'User-Agent': id, ...(isRegister ? {} : { Authorization: `Bearer ${token}` }) };
    const credentials = { method: 'POST', body: JSON.stringify({ application_id: id, secret }) };
    const from = performance.now();
    try {
      const answer = await fetch(url + path, { headers, ...(isRegister ? credentials : {}) });
      const body = (await answer.json()) as { error?: string; token?: string };
      load.answers.push({
        path,
        status: answer.status,
        error: body.error,
        retryAfter: answer.headers.get('retry-after'),
        from,
        to: performance.now(),
      });
      if (isRegister && body.token !== undefined) {
        caller.token = body.token;
        load.issued.push({ id, token: body.token });
      }
    } catch (error) {
      load.failures.push(`${path}: ${String((error as Error).cause ?? error)}`);
    }
  };
  const startedAt = performance.now();
  // On a busy machine timers come late, and several requests are due at once.
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
    while (sent < due) {
      sent += 1;
      if (waiting.size >= mostWaiting) continue;
      const sending = send().finally(() => waiting.delete(sending));
      waiting.add(sending);
    }
  }, 1_000 / perSecond);

  return {
    ...load,
    since: (moment) => load.answers.filter(({ from }) => from >= moment),
    async stop() {
      clearInterval(timer);
      while (waiting.size > 0) await Promise.race([Promise.all(waiting), delay(100)]);
    },
  };
}
