import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { hostAndPort } from 'game-files';
import type { Config } from '../../config/schema.ts';
import { findListenProblem } from '../../process/listen-problem.ts';
import { version } from '../../process/version.ts';
import type { Holder } from '../../server/store/engine/folder-lock.ts';
import { about, type Finding } from './finding.ts';

const timeoutMs = 5_000;

/**
 * Checks the running service, or whether one could start.
 * @param holder of the data folder; null: no service runs on it
 * @param onPostgres whether the store is on PostgreSQL
 */
export async function checkService(
  { http }: Pick<Config, 'http'>,
  holder: Holder | 'unknown' | null,
  configFile: string,
  onPostgres: boolean,
): Promise<Finding[]> {
  if (holder === null) return await checkBeforeStart(http, onPostgres);
  const findings = holder === 'unknown' ? [] : [checkHolder(holder, configFile)];
  if (http.port === 0 || findings.some(({ status }) => status === 'wrong')) return findings;
  if (holder === 'unknown' || holder.host === hostname())
    return [...findings, await checkReadiness(http, onPostgres)];
  // Each container has a name and a loopback of its own.
  return [...findings, about('http.port', 'the running Outpost')('service.elsewhere', { host: holder.host })];
}

/** Whether the service that runs on the data folder is that of this config and version. */
function checkHolder({ pid, host, since, config, version: running }: Holder, configFile: string): Finding {
  const report = about('OUTPOST_DATA', 'the running Outpost');
  const who = `process ${pid} on ${host}, since ${since}`;
  if (config !== '' && config !== resolve(configFile)) return report('service.otherConfig', { who, config });
  return running === version
    ? report('service.running', { who, version })
    : report('service.otherVersion', { who, running, version });
}

async function checkReadiness(http: Config['http'], onPostgres: boolean): Promise<Finding> {
  const url = `http://${localAddress(http)}/readyz`;
  const report = about('http.port', url);
  const answer = await ask(url);
  if (typeof answer === 'string') return report('service.silent');
  if (answer.status === 'ready') return report('service.ready');
  if (answer.status !== 'unavailable')
    return report('port.otherProgram', { port: http.port, key: 'http.port' });
  const broken = Object.entries(answer.checks ?? {})
    .filter(([, works]) => works !== true)
    .map(([name]) => (name === 'store' && onPostgres ? 'database' : name));
  return report('service.notReady', { parts: broken.join(', ') || 'no part is named' });
}

/** Whether the addresses are free; on PostgreSQL other processes of the same store may have them. */
async function checkBeforeStart(http: Config['http'], onPostgres: boolean): Promise<Finding[]> {
  const addresses = [
    { key: 'http.port', variable: ' in OUTPOST_HTTP_PORT', address: http },
    ...(http.metrics === undefined ? [] : [{ key: 'http.metrics', variable: '', address: http.metrics }]),
  ];
  return await Promise.all(
    addresses.map(async ({ key, variable, address }): Promise<Finding> => {
      const report = about(key, hostAndPort(address));
      const answer = address.port === 0 ? '' : await ask(`http://${localAddress(address)}/readyz`);
      if (typeof answer !== 'string') {
        const isOutpost = answer.status === 'ready' || answer.status === 'unavailable';
        if (!isOutpost) return report('port.otherProgram', { port: address.port, key });
        return onPostgres ? report('port.sharedStore', { variable }) : report('port.otherOutpost', { key });
      }
      const reason = await findListenProblem(address);
      return reason === null ? report('port.free') : report('port.refused', { reason, key });
    }),
  );
}

/** Whether an Outpost answers at the address under which members reach the service. */
export async function checkPublicUrl(publicUrl: string): Promise<Finding[]> {
  const report = about('http.publicUrl', publicUrl);
  const answer = await ask(new URL('healthz', publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`).href);
  if (typeof answer === 'string') return [report('publicUrl.silent', { message: answer })];
  return [report(answer.status === 'alive' ? 'publicUrl.answers' : 'publicUrl.other')];
}

/** `127.0.0.1:8080`: where this machine reaches the service. */
function localAddress({ host, port }: { host: string; port: number }): string {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return hostAndPort({ host: local, port });
}

interface Answer {
  status?: unknown;
  checks?: Record<string, unknown> | undefined;
}

/** The answer of a health route; empty: it is none; a text: why nothing answers. */
async function ask(url: string): Promise<Answer | string> {
  let response: Response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error && cause.message !== '' ? cause.message : message;
  }
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
