import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from '../../../src/api/access.ts';
import type { SimulatedGameServer } from '../../../src/demo/game-server.ts';
import type { Database } from '../../../src/server/store/engine/database.ts';
import type { Credentials } from '../../harness/service.ts';
import { NotApplicable } from '../case.ts';
import { exchange, expectPlainAnswer, type Answer, type Sent } from '../exchange.ts';

export type { Credentials };

/** What is known of the data behind a service. A service elsewhere has what its runner was told or found. */
export interface Facts {
  server: string;
  banList: string;
  liveServer: string;
  serverWithoutQueryPort: string;
  deadServer: string;
  foreignServer: string;
  inactiveServer: string;
  foreignBanList: string;
  inactiveBanList: string;
  steamId64: string;
  battleyeGuid: string;
  cftoolsId: string;
  unknownPlayer: string;
  foreignPlayer: string;
}

/** One holder of a token. */
export interface Caller extends Credentials {
  token: string;
  headers: Record<string, string>;
  /** A GET with the token and the User-Agent; headers given here win. */
  get(path: string, headers?: Record<string, string | undefined>): Promise<Answer>;
}

/** A service of which one has no more than credentials. */
export interface Service {
  url: string;
  /** An application with every scope. */
  credentials: Credentials;
  fact(name: keyof Facts): string;
  /** Sends a request; what holds for every answer is checked. */
  send(path: string, sent?: Sent): Promise<Answer>;
  /** Registers in the customary way and expects success. */
  register(credentials: Credentials): Promise<string>;
  /** Somebody with every scope and requests to spare, perhaps shared with other cases. */
  caller(): Promise<Caller>;
  /** A token that nobody has used. */
  freshCaller(): Promise<Caller>;
}

export interface ApplicationOptions {
  scopes?: readonly Scope[];
  requestsPerMinute?: number;
}

/** A service whose data is in our hands. */
export interface OwnService extends Service {
  db: Database;
  games: { live: SimulatedGameServer; dead: SimulatedGameServer; fading: SimulatedGameServer };
  application(project: string, options?: ApplicationOptions): Promise<Credentials>;
  callerOf(project: string, options?: ApplicationOptions): Promise<Caller>;
  /** All that was logged so far. */
  logged(): string;
  /** Waits until the service shows what was changed: it keeps for a second what it has read. */
  shown(): Promise<void>;
  /** A command of the owner's command line, beside the running service; answers with its JSON. */
  outpost(...args: string[]): Promise<Record<string, unknown>>;
}

/** A service whose clock is in our hands too. */
export interface ClockService extends OwnService {
  clock: { now: number };
}

/** Headers of a holder of a token. */
export const bearer = (id: string, token: string): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  'User-Agent': id,
});

/**
 * The parts of a service that follow from its address. One application registers for all cases of a service elsewhere:
 * `patient` waits when it may not for a while.
 */
export function reach(
  url: string,
  { patient = false } = {},
): Pick<Service, 'send' | 'register'> & {
  hold(credentials: Credentials): Promise<Caller>;
} {
  const send = async (path: string, sent: Sent = {}): Promise<Answer> => {
    const answer = await exchange(url, path, sent);
    expectPlainAnswer(answer);
    if (!patient || answer.status !== 429 || !path.startsWith('/v1/auth/register')) return answer;
    await delay(Number(answer.headers['retry-after']) * 1_000);
    return await send(path, sent);
  };
  const register = async ({ id, secret }: Credentials): Promise<string> => {
    const { status, text, body } = await send('/v1/auth/register', {
      method: 'POST',
      headers: { 'User-Agent': id, 'Content-Type': 'application/json' },
      body: JSON.stringify({ application_id: id, secret }),
    });
    assert.equal(status, 200, `expected to register, got ${status}: ${text}`);
    return body.token as string;
  };
  const hold = async (credentials: Credentials): Promise<Caller> => {
    const token = await register(credentials);
    const headers = bearer(credentials.id, token);
    return {
      ...credentials,
      token,
      headers,
      get: (path, extra = {}) => {
        const all = Object.entries({ ...headers, ...extra }).filter(([, value]) => value !== undefined);
        return send(path, { headers: Object.fromEntries(all) as Record<string, string> });
      },
    };
  };
  return { send, register, hold };
}

/** Looks a fact up; a case that needs one that nobody told is not applicable. */
export function factsOf(facts: Partial<Facts>, how: (name: string) => string): Service['fact'] {
  return (name) => {
    const value = facts[name];
    if (value === undefined) throw new NotApplicable(how(name));
    return value;
  };
}

/** Gives out one caller for many cases, as long as it has requests to spare. */
export function shareCaller(fresh: () => Promise<Caller>, spare = 30): () => Promise<Caller> {
  let shared: Promise<Caller> | null = null;
  let left = 0;
  return async () => {
    if (shared === null || left < spare) {
      left = 120;
      shared = fresh();
    }
    const caller = await shared;
    return {
      ...caller,
      async get(path, headers) {
        const answer = await caller.get(path, headers);
        const remaining = /"token";r=(\d+)/.exec(answer.headers['ratelimit'] ?? '')?.[1];
        left = remaining === undefined ? left - 1 : Number(remaining);
        return answer;
      },
    };
  };
}
