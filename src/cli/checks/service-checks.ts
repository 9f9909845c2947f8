import { resolve } from 'node:path';
import { hostAndPort } from 'game-files';
import { scopes } from '../../api/access.ts';
import { createClient } from '../../api/client.ts';
import { ServiceError } from '../../api/client-types.ts';
import { askForToken, type HeldTokenData } from '../../api/held-token.ts';
import { readAnswer } from '../../api/operation-call.ts';
import { operations } from '../../api/operations.ts';
import { unknownServers } from '../../compose/server-ids.ts';
import type { Environment } from '../../config/environment.ts';
import type { Config, DiscordConfig } from '../../config/schema.ts';
import { findListenProblem } from '../../process/listen-problem.ts';
import { version } from '../../process/version.ts';
import type { Holder } from '../../server/store/engine/folder-lock.ts';
import { about, type Finding } from './finding.ts';
import { limits } from '../limits.ts';

/** Checks the running service, or whether one could start. @param holder of the data folder; null: no service runs on it */
export async function checkService(
  { http }: Pick<Config, 'http'>,
  holder: Holder | 'unknown' | null,
  configFile: string,
  isOnPostgres: boolean,
): Promise<Finding[]> {
  if (holder === null) return await checkBeforeStart(http, isOnPostgres);
  if (holder === 'unknown') return http.port === 0 ? [] : [await checkReadiness(http, isOnPostgres)];
  const finding = checkHolder(holder, configFile);
  if (http.port === 0 || finding.status === 'wrong') return [finding];
  return [finding, await checkReadiness(http, isOnPostgres)];
}

/** Whether the service that runs on the data folder is that of this config and version. */
function checkHolder({ pid, host, since, config, version: running }: Holder, configFile: string): Finding {
  const report = about('OUTPOST_DATA', 'the running Outpost');
  const who = `process ${pid} on ${host}, since ${since}`;
  if (config !== '' && config !== resolve(configFile))
    return report.wrong(
      `the data folder belongs to another Outpost: ${who}, config ${config}`,
      'give each Outpost a data folder of its own in OUTPOST_DATA, or run the check with that config in OUTPOST_CONFIG',
    );
  if (running === version) return report.good(`${who}, version ${version}`);
  return report.warning(
    `${who}, runs version ${running}, and this program is version ${version}`,
    'restart Outpost, so that the installed version runs',
  );
}

async function checkReadiness(http: Config['http'], isOnPostgres: boolean): Promise<Finding> {
  const url = `http://${localAddress(http)}/readyz`;
  const report = about('http.port', url);
  const { status, checks } = await ask(url);
  switch (status) {
    case undefined:
      return report.wrong(
        'an Outpost runs on the data folder, but does not answer here',
        'if it runs in a container, run: docker compose exec outpost outpost doctor; if http.host or http.port was changed, restart Outpost; else see its log',
      );
    case 'ready':
      return report.good('ready');
    case 'unavailable': {
      const parts = Object.entries(checks ?? {})
        .filter(([, works]) => works !== true)
        .map(([name]) => (name === 'store' && isOnPostgres ? 'database' : name));
      return report.wrong(
        `not ready: ${parts.join(', ') || 'no part is named'}`,
        'see its log about that; a database that is away comes back by itself, else restart Outpost',
      );
    }
    default:
      return report.wrong(
        'another program answers there',
        `stop the program that uses port ${http.port}, or choose another http.port`,
      );
  }
}

/** Whether the addresses are free; on PostgreSQL other processes of the same store may have them. */
async function checkBeforeStart(http: Config['http'], isOnPostgres: boolean): Promise<Finding[]> {
  const check = async (key: string, address: { host: string; port: number }): Promise<Finding> => {
    const report = about(key, hostAndPort(address));
    const reason = await findListenProblem(address);
    if (reason === null) return report.good('free');
    const { status = '' } = isOnPostgres ? await ask(`http://${localAddress(address)}/readyz`) : {};
    if (!['ready', 'unavailable'].includes(status))
      return report.wrong(reason, `stop what uses it, or change ${key} or its host in the config`);
    return report.good(
      'another Outpost listens there',
      'if it is not of this store, stop it; each further process on this machine needs a port of its own, as in OUTPOST_HTTP_PORT',
    );
  };
  const { metrics } = http;
  return await Promise.all([
    check('http.port', http),
    ...(metrics === undefined ? [] : [check('http.metrics', metrics)]),
  ]);
}

/** Whether an Outpost answers at the address under which members reach the service. */
export async function checkPublicUrl(publicUrl: string): Promise<Finding> {
  const report = about('http.publicUrl', publicUrl);
  const { status, problem } = await ask(new URL('healthz', `${publicUrl.replace(/\/$/, '')}/`).href);
  if (status === 'alive') return report.good('reaches this service');
  return report.warning(
    status === undefined ? `no answer from this machine: ${problem}` : 'something else answers there',
    'let your proxy pass this address on to http.host and http.port; open it in a browser elsewhere, since a router may refuse its own public address from inside',
  );
}

/** `127.0.0.1:8080`: where this machine reaches the service. */
function localAddress({ host, port }: { host: string; port: number }): string {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return hostAndPort({ host: local, port });
}

/** What a health route says of itself. */
interface Answer {
  /** Undefined: nothing answers. */
  status?: string;
  checks?: Record<string, unknown>;
  /** Why nothing answers. */
  problem?: string;
}

async function ask(url: string): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(limits.healthMs), redirect: 'manual' });
  } catch (error) {
    const { message, cause } = error as Error;
    return { problem: (cause instanceof Error && cause.message) || message };
  }
  const body: unknown = await response.json().catch(() => null);
  return { status: 'none', ...(typeof body === 'object' ? body : {}) };
}

/** Checks the service that a remote bot reads: its address, the application, its scopes, and the config's server ids. */
export async function checkRemoteService(
  { apiUrl, applicationId, secret }: NonNullable<Environment['remoteService']>,
  discord: DiscordConfig,
): Promise<Finding[]> {
  const report = about('OUTPOST_API_URL', apiUrl);
  const timeoutMs = limits.remoteServiceMs;
  try {
    const baseUrl = new URL(apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
    const body = await askForToken({ fetch, timeoutMs }, baseUrl, applicationId, secret);
    const { token, expiresIn, scopes: granted } = readAnswer(operations.register, body);
    const missing = scopes.filter((scope) => !granted.includes(scope)).join(', ');
    const held: HeldTokenData = { token, expiresAt: Date.now() + expiresIn * 1000 };
    const tokenStore = { load: async () => held, save: async () => undefined };
    const client = createClient({ baseUrl: apiUrl, applicationId, secret, tokenStore, timeoutMs });
    const { servers } = (await client.listServers()).data;
    return [
      missing === ''
        ? report.good(`the service knows the application; ${granted.length} of ${scopes.length} scopes`)
        : report.warning(
            `the service knows the application, but does not grant it ${missing}`,
            'commands that need them will not work; ask the project owner to grant them',
          ),
      ...unknownServers(discord, servers).map(({ key, message }) =>
        about(key, apiUrl).wrong(message, 'name a server of that list'),
      ),
    ];
  } catch (error) {
    return [report.wrong(error instanceof Error ? error.message : String(error), nextStepElsewhere(error))];
  }
}

function nextStepElsewhere(error: unknown): string {
  if (!(error instanceof ServiceError))
    return 'check that this is the address of an Outpost without /v1, and that this machine can reach it';
  if (error.code !== 'invalid_credentials') return "this is the service's own message; its owner can help";
  return 'check OUTPOST_APPLICATION_ID and OUTPOST_SECRET; "outpost app rotate ID" on the other machine makes a new secret';
}
