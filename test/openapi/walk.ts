import type { ErrorCode } from '../../src/api/errors.ts';
import { errorsOf, operations, operationIds, type OperationId } from '../../src/api/operations.ts';
import { dead, mute, type World, type WorldApplication } from './world.ts';

/** One request to the service, and what it is to answer. */
export interface Step {
  operation: OperationId;
  expects: 'ok' | 'not_modified' | ErrorCode;
  method?: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** False: it breaks what the document says of requests, on purpose. */
  valid: boolean;
}

export interface StepAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Path parameters by which nothing is found. */
const unknownValues = { serverId: 'nowhere', banListId: 'nowhere', identifier: '76561190000000000' };

/** The path of an operation with these values of its parameters. */
export function pathOf(id: OperationId, values: Readonly<Record<string, string>>): string {
  return operations[id].path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

const json = { 'Content-Type': 'application/json' };

/**
 * Every operation answered well, and every error that can be provoked from outside, one after another. `send` may go to
 * the service or to a proxy before it; what it returns is yielded with the step that asked for it.
 */
export async function* walk(
  world: World,
  send: (step: Step) => Promise<StepAnswer>,
): AsyncGenerator<{ step: Step; answer: StepAnswer }> {
  const take = async (step: Step): Promise<{ step: Step; answer: StepAnswer }> => ({
    step,
    answer: await send(step),
  });
  const registering = ({ id, secret }: WorldApplication, changes: Partial<Step> = {}): Step => ({
    operation: 'register',
    expects: 'ok',
    method: 'POST',
    path: operations.register.path,
    headers: { ...json, 'User-Agent': id },
    body: JSON.stringify({ application_id: id, secret }),
    valid: true,
    ...changes,
  });
  const tokenOf = (answer: StepAnswer): string => (answer.body as { token: string }).token;

  const owner = await world.application('northwood');
  const first = await take(registering(owner));
  yield first;
  const asOwner = bearer(owner, tokenOf(first.answer));
  const form = new URLSearchParams({ application_id: owner.id, secret: owner.secret });
  const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };
  yield take(registering(owner, { body: form.toString(), headers: { ...formType, 'User-Agent': owner.id } }));
  const inQuery = `${operations.register.path}?${form.toString()}`;
  const { body: _body, ...bodiless } = registering(owner);
  yield take({ ...bodiless, path: inQuery, headers: { 'User-Agent': owner.id } });

  const paths = await pathsOf(world.url, asOwner);
  for (const id of operationIds) {
    if (id === 'register') continue;
    const step: Step = { operation: id, expects: 'ok', path: paths[id], headers: asOwner, valid: true };
    const answered = await take(step);
    yield answered;
    const etag = answered.answer.headers.get('etag');
    if (etag !== null && id !== 'listOnlinePlayers') {
      yield take({ ...step, expects: 'not_modified', headers: { ...asOwner, 'If-None-Match': etag } });
    }
  }
  yield take({
    operation: 'listLeaderboards',
    expects: 'ok',
    path: '/v1/leaderboards?metric=PLAYTIME&limit=100',
    headers: asOwner,
    valid: true,
  });
  yield take({
    operation: 'listLeaderboards',
    expects: 'ok',
    path: '/v1/leaderboards?period=month',
    headers: asOwner,
    valid: true,
  });

  for (const id of operationIds) {
    if (!errorsOf(id).includes('not_found')) continue;
    const path = id === 'listLeaderboards' ? `${paths[id]}?period=season` : pathOf(id, unknownValues);
    // The live list has a limit of its own, which the refusals above and below would reach.
    const caller = id === 'listOnlinePlayers' ? await freshCaller(world) : asOwner;
    yield take({ operation: id, expects: 'not_found', path, headers: caller, valid: true });
  }
  const liveOf = (server: string): string => `/v1/server/${server}/players/online`;
  const live = { operation: 'listOnlinePlayers', valid: true } as const;
  const liveCaller = await freshCaller(world);
  yield take({
    ...live,
    expects: 'data_source_not_configured',
    path: liveOf(mute),
    headers: liveCaller,
  });
  yield take({ ...live, expects: 'live_source_unavailable', path: liveOf(dead), headers: liveCaller });
  yield take({ ...live, expects: 'rate_limited', path: liveOf(mute), headers: liveCaller });

  yield* refusedEverywhere(world, take, paths);
  yield* refusedRegistrations(world, take, registering);
}

async function* refusedEverywhere(
  world: World,
  take: (step: Step) => Promise<{ step: Step; answer: StepAnswer }>,
  paths: Record<OperationId, string>,
): AsyncGenerator<{ step: Step; answer: StepAnswer }> {
  const pausing = await world.application('suspended');
  const paused = bearer(pausing, await register(world.url, pausing));
  const scopeless = await freshCaller(world, 'northwood', []);
  const free = await freshCaller(world, 'fernhill');
  await world.suspend();

  for (const id of operationIds) {
    if (id === 'register') continue;
    const path = paths[id];
    const asked = { operation: id, path } as const;
    const caller = await freshCaller(world);
    const { Authorization: _token, ...tokenless } = caller;
    yield take({ ...asked, expects: 'token_missing', headers: tokenless, valid: false });
    const forged = { ...caller, Authorization: `Bearer opt_${'0'.repeat(43)}` };
    yield take({ ...asked, expects: 'token_invalid', headers: forged, valid: true });
    const disguised = { ...caller, 'User-Agent': 'Mozilla/5.0' };
    yield take({ ...asked, expects: 'user_agent_mismatch', headers: disguised, valid: true });
    yield take({ ...asked, expects: 'project_suspended', headers: paused, valid: true });
    yield take({ ...asked, expects: 'insufficient_scope', headers: scopeless, valid: true });
    if (operations[id].plan !== 'FREE') {
      yield take({ ...asked, expects: 'subscription_required', headers: free, valid: true });
    }
    const unknown = { ...asked, expects: 'invalid_parameters', headers: caller, valid: true } as const;
    yield take({ ...unknown, path: `${path}?surprise=1` });
    yield take({ ...asked, expects: 'method_not_allowed', method: 'DELETE', headers: caller, valid: false });
  }
  const caller = await freshCaller(world);
  const wrong = { expects: 'invalid_parameters', headers: caller, valid: false } as const;
  yield take({ ...wrong, operation: 'listLeaderboards', path: '/v1/leaderboards?limit=101&metric=KILLS' });
  yield take({ ...wrong, operation: 'listBans', path: '/v1/banlists/northwood-bans/bans?limit=0' });
  yield take({ ...wrong, operation: 'getPlayer', path: '/v1/player/steam:76561198017124053' });

  const eager = await freshCaller(world);
  const spend = { headers: eager, operation: 'getProject', path: paths.getProject, valid: true } as const;
  for (let spent = 0; spent < 120; spent += 1) await fetch(`${world.url}${spend.path}`, { headers: eager });
  for (const id of operationIds) {
    if (id === 'register') continue;
    yield take({ ...spend, operation: id, path: paths[id], expects: 'rate_limited' });
  }
}

async function* refusedRegistrations(
  world: World,
  take: (step: Step) => Promise<{ step: Step; answer: StepAnswer }>,
  registering: (application: WorldApplication, changes?: Partial<Step>) => Step,
): AsyncGenerator<{ step: Step; answer: StepAnswer }> {
  const application = await world.application('northwood');
  const { id } = application;
  const body = JSON.stringify({ application_id: id });
  yield take(registering(application, { expects: 'invalid_parameters', body, valid: false }));
  const disguise = { ...json, 'User-Agent': 'curl/8.0' };
  yield take(registering(application, { expects: 'user_agent_mismatch', headers: disguise }));
  const wrong = { id, secret: `ops_${'0'.repeat(43)}` };
  for (let attempt = 0; attempt < 10; attempt += 1) {
    yield take(registering(wrong, { expects: 'invalid_credentials' }));
  }
  yield take(registering(wrong, { expects: 'rate_limited' }));
  const packed = { ...json, 'User-Agent': id, 'Content-Encoding': 'gzip' };
  yield take(registering(application, { expects: 'unsupported_media_type', headers: packed, valid: false }));
  const large = JSON.stringify({ ...application, application_id: id, filler: 'x'.repeat(20_000) });
  yield take(registering(application, { expects: 'payload_too_large', body: large }));
  const method = { expects: 'method_not_allowed', method: 'PUT', valid: false } as const;
  yield take(registering(application, method));
  const suspended = await world.application('suspended');
  yield take(registering(suspended, { expects: 'project_suspended' }));
}

/** A path of the demo's data for every operation. */
export async function pathsOf(
  url: string,
  headers: Record<string, string>,
): Promise<Record<OperationId, string>> {
  const response = await fetch(`${url}/v1/leaderboards?metric=PLAYER_KILLS`, { headers });
  const { leaderboards } = (await response.json()) as {
    leaderboards: { rows: { player: { steamId64: string | null } }[] }[];
  };
  const known = leaderboards[0]?.rows.map(({ player }) => player.steamId64).find((id) => id !== null);
  const values: Record<string, string> = {
    serverId: 'northwood-1',
    banListId: 'northwood-bans',
    identifier: known ?? '',
  };
  return Object.fromEntries(operationIds.map((id) => [id, pathOf(id, values)])) as Record<
    OperationId,
    string
  >;
}

/** Sends a step to an address as it is. */
export async function sendTo(url: string, step: Step): Promise<StepAnswer> {
  const { method = 'GET', path, headers, body } = step;
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

export async function freshCaller(
  world: World,
  projectSlug = 'northwood',
  held?: Parameters<World['application']>[1],
): Promise<Record<string, string>> {
  const application = await world.application(projectSlug, held);
  return bearer(application, await register(world.url, application));
}

export async function register(url: string, { id, secret }: WorldApplication): Promise<string> {
  const response = await fetch(`${url}${operations.register.path}`, {
    method: 'POST',
    headers: { ...json, 'User-Agent': id },
    body: JSON.stringify({ application_id: id, secret }),
  });
  if (!response.ok) throw new Error(`registering failed: ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}

function bearer({ id }: WorldApplication, token: string): Record<string, string> {
  return { 'User-Agent': id, Authorization: `Bearer ${token}` };
}
