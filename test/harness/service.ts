import { mkdtemp, rm } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { createTestClock } from './clock.ts';
import { openNewStore } from './new-store.ts';
import { hangUp } from './wire.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keyv } from 'keyv';
import { pino } from 'pino';
import { expect } from 'vitest';
import { scopes, type Scope } from '../../src/api/access.ts';
import { errorBody, errorCodes } from '../../src/api/errors.ts';
import { errorsOf, operations, type Operation, type OperationId } from '../../src/api/operations.ts';
import { configSchema, type ConfigInput } from '../../src/config/schema.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../../src/server/store/repositories/applications/credentials.ts';
import { createApp, type AppParts } from '../../src/server/http/app.ts';
import { keptMs } from '../../src/server/http/answers/answer-cache.ts';
import { createTokens } from '../../src/server/http/access/tokens.ts';
import { createOnlineList } from '../../src/server/live/online-list.ts';
import { createQuery, type QueryServer } from '../../src/server/live/query.ts';
import { createApplication } from '../../src/server/store/repositories/applications/applications.ts';
import { openReader, type Database } from '../../src/server/store/engine/database.ts';
import { reconcile } from '../../src/server/store/repositories/projects/reconcile.ts';

export interface Credentials {
  id: string;
  secret: string;
}

/** The clocks of a service: `now` is the wall clock's epoch milliseconds. Setting it lets that much time pass. */
export interface ServiceClock {
  now: number;
  monotonic: () => number;
  /** Sets the wall clock forward, or back where `ms` is negative. No time passes. */
  step(ms: number): void;
}

/** The service over real HTTP and a real SQLite file, with a clock that tests turn. */
export interface TestService {
  url: string;
  db: Database;
  /** Opens its store again. */
  location: string;
  clock: ServiceClock;
  /** The access log and everything else that was logged. */
  logged: string[];
  application(project: string, options?: { scopes?: readonly Scope[] }): Promise<Credentials>;
  register(credentials: Credentials): Promise<string>;
  /** A caller that holds a token of a new application. */
  caller(project: string, options?: { scopes?: readonly Scope[] }): Promise<Caller>;
  send(path: string, init?: RequestInit): Promise<TestResponse>;
  reconcile(config: ConfigInput): Promise<void>;
  /** Lets so much time pass that the service keeps nothing that it has answered or read. */
  expire(): void;
  close(): Promise<void>;
}

export interface Caller extends Credentials {
  token: string;
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  // Tests look into answers freely; their form has been checked against the contract by then.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export const baseTime = Date.parse('2026-03-01T12:00:00.000Z');

export async function startTestService(
  config: ConfigInput,
  { query, parts = {} }: { query?: QueryServer; parts?: Partial<AppParts> } = {},
): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-service-'));
  const time = createTestClock(baseTime);
  const { now, monotonic, step } = time;
  const clock: ServiceClock = {
    get now() {
      return now();
    },
    set now(moment) {
      time.advance(moment - now());
    },
    monotonic,
    step,
  };
  const logged: string[] = [];
  const file = join(folder, 'outpost.sqlite');
  const writer = await openNewStore(file);
  const applyConfig = async (next: ConfigInput): Promise<void> => {
    await reconcile(writer.db, configSchema.parse(next));
  };
  await applyConfig(config);
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const reader = openReader(writer.location);
  const app = createApp({
    reader,
    tokens: createTokens(new Keyv(), now),
    online: createOnlineList(query ?? createQuery({ now }), { monotonic }),
    supportUrl: () => config.http?.supportUrl ?? null,
    log,
    now,
    monotonic,
    ...parts,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const service: TestService = {
    url,
    db: writer.db,
    location: writer.location,
    clock,
    logged,
    async application(projectSlug, { scopes: held = scopes } = {}) {
      const credentials = { id: newApplicationId(), secret: newSecret() };
      const secretHash = hashSecret(credentials.secret);
      await createApplication(
        writer.db,
        { id: credentials.id, projectSlug, name: 'test', secretHash, scopes: held },
        clock.now,
      );
      return credentials;
    },
    async register({ id, secret }) {
      const { status, body } = await service.send('/v1/auth/register', {
        method: 'POST',
        headers: { 'User-Agent': id, 'Content-Type': 'application/json' },
        body: JSON.stringify({ application_id: id, secret }),
      });
      expect(status).toBe(200);
      return body.token;
    },
    async caller(project, options) {
      const credentials = await service.application(project, options);
      const token = await service.register(credentials);
      const headers = { Authorization: `Bearer ${token}`, 'User-Agent': credentials.id };
      return {
        ...credentials,
        token,
        get: (path, extra) => service.send(path, { headers: { ...headers, ...extra } }),
      };
    },
    async send(path, init = {}) {
      const response = await fetch(new URL(path, url), init);
      const text = await response.text();
      const body: unknown = text === '' ? null : JSON.parse(text);
      if (init.method !== 'HEAD') expectContract(init.method ?? 'GET', path, response, body);
      return { status: response.status, headers: response.headers, body };
    },
    reconcile: applyConfig,
    expire: () => time.advance(keptMs + 1),
    async close() {
      hangUp();
      app.server.closeIdleConnections();
      // The closed connections are gone by then: with open ones the service would wait for last requests.
      await setImmediate();
      await app.close();
      await reader.close();
      await writer.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return service;
}

/** Every answer of every test has the form that the operations table promises. */
function expectContract(method: string, path: string, response: Response, body: unknown): void {
  expect(response.headers.get('x-request-id')).toBeTruthy();
  const id = operationAt(method, path);
  if (response.ok) {
    if (id === null) throw new Error(`${method} ${path} succeeded, but no operation is there`);
    (operations[id] as Operation).response.parse(body);
    return;
  }
  const error = errorBody.parse(body);
  expect(response.status).toBe(errorCodes[error.error]);
  expect(error.requestId).toBe(response.headers.get('x-request-id'));
  if (id !== null && response.status !== 405) expect(errorsOf(id)).toContain(error.error);
}

function operationAt(method: string, path: string): OperationId | null {
  const { pathname } = new URL(path, 'http://localhost');
  for (const [id, operation] of Object.entries(operations)) {
    const pattern = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`);
    if (operation.method === method && pattern.test(pathname)) return id as OperationId;
  }
  return null;
}
