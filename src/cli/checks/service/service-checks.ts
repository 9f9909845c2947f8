import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Config } from '../../../config/schema.ts';
import { version } from '../../../process/version.ts';
import type { Holder } from '../../../server/store/engine/folder-lock.ts';
import { hostAndPort } from '../../../server/store/repositories/projects/places.ts';
import { findListenProblem } from '../../../process/listen-problem.ts';
import { about, type CheckResult, type Finding, wrong } from '../finding.ts';

const timeoutMs = 5_000;

/** What `/readyz` reports as broken, and what to do. */
const parts: Readonly<Record<string, string>> = {
  store: 'the store is damaged: stop Outpost, then run the doctor again',
  database: 'the database does not answer: see OUTPOST_STORE_URL; Outpost goes on by itself once it does',
  writing: 'the store cannot be written: see the disk and the rights of the data folder',
  poller: 'game servers are no longer checked: restart Outpost, and see its log',
};

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
  const findings = holder === 'unknown' ? [] : checkHolder(holder, configFile);
  if (http.port === 0 || findings.some(({ status }) => status === 'wrong')) return findings;
  if (holder !== 'unknown' && holder.host !== hostname()) return [...findings, elsewhere(holder)];
  return [...findings, await checkReadiness(http, onPostgres)];
}

/** Whether the service that runs on the data folder is that of this config and version. */
function checkHolder(holder: Holder, configFile: string): Finding[] {
  const running = about('OUTPOST_DATA', 'the running Outpost');
  const who = `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
  if (holder.config !== '' && holder.config !== resolve(configFile)) {
    return [
      running.wrong(
        `the data folder belongs to another Outpost: ${who}, config ${holder.config}`,
        'give each Outpost a data folder of its own in OUTPOST_DATA, or run the doctor with that config in OUTPOST_CONFIG',
      ),
    ];
  }
  if (holder.version !== version) {
    return [
      running.warning(
        `${who}, runs version ${holder.version}, and this program is version ${version}`,
        'restart Outpost, so that the installed version runs',
      ),
    ];
  }
  return [running.good(`${who}, version ${version}`)];
}

/** Each container has a name and a loopback of its own. */
const elsewhere = ({ host }: Holder): Finding =>
  about('http.port', 'the running Outpost').warning(
    `runs on ${host}, another machine or container, so its service cannot be checked from here`,
    'run the doctor there; for a container: docker compose exec outpost outpost doctor',
  );

async function checkReadiness(http: Config['http'], onPostgres: boolean): Promise<Finding> {
  const url = `http://${localAddress(http)}/readyz`;
  const service = about('http.port', url);
  const answer = await ask(url);
  if (answer === null) {
    return service.wrong(
      'an Outpost runs on the data folder, but does not answer here',
      'if http.host or http.port was changed, restart Outpost; else see its log, then restart it',
    );
  }
  const broken = Object.entries(answer.checks ?? {})
    .filter(([, works]) => works !== true)
    .map(([name]) => (name === 'store' && onPostgres ? 'database' : name));
  if (answer.status === 'ready') return service.good('ready');
  if (answer.status !== 'unavailable') return service.is(otherProgram(http));
  return service.wrong(
    `not ready: ${broken.join(', ') || 'no part is named'}`,
    broken.map((name) => parts[name] ?? `see the log about ${name}`).join('; ') || 'see its log',
  );
}

/** Whether the addresses are free; on PostgreSQL other processes of the same store may have them. */
async function checkBeforeStart(http: Config['http'], onPostgres: boolean): Promise<Finding[]> {
  const addresses = [
    { key: 'http.port', variable: 'OUTPOST_HTTP_PORT', address: http },
    ...(http.metrics === undefined ? [] : [{ key: 'http.metrics', address: http.metrics }]),
  ];
  return await Promise.all(
    addresses.map(async ({ key, variable, address }): Promise<Finding> => {
      const port = about(key, hostAndPort(address));
      const answer = address.port === 0 ? null : await ask(`http://${localAddress(address)}/readyz`);
      if (answer?.status === 'ready' || answer?.status === 'unavailable') {
        const found = 'an Outpost with another data folder listens there';
        if (onPostgres) {
          const another = variable === undefined ? 'a port of its own' : `a port of its own in ${variable}`;
          return port.good(found, `each further process on this machine needs ${another}`);
        }
        const next = `stop that one, set OUTPOST_DATA to its data folder, or choose another ${key}`;
        return port.wrong(found, next);
      }
      if (answer !== null && key === 'http.port') return port.is(otherProgram(http));
      const found = await findListenProblem(address);
      if (found === null) return port.good(onPostgres ? 'free' : 'free; Outpost is not running');
      return port.wrong(found, `change ${key} or its host in the config`);
    }),
  );
}

const otherProgram = ({ port }: { port: number }): CheckResult =>
  wrong(
    'another program answers there',
    `stop the program that uses port ${port}, or choose another http.port`,
  );

/** `127.0.0.1:8080`: where this machine reaches the service. */
function localAddress({ host, port }: { host: string; port: number }): string {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return hostAndPort({ host: local, port });
}

interface Answer {
  status?: unknown;
  checks?: Record<string, unknown> | undefined;
}

/** The answer of a health route; empty: it is none; null: nothing answers. */
export async function ask(url: string): Promise<Answer | null> {
  let response: Response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
  } catch {
    return null;
  }
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
