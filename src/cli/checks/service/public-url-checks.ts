import { connect } from 'node:tls';
import { about, type CheckResult, type Finding, warning, wrong } from '../finding.ts';
import { ask } from './service-checks.ts';
import { count } from '../../output.ts';

const timeoutMs = 5_000;
const dayMs = 86_400_000;
/** Certificates are usually renewed 30 days before their end. */
const renewedDays = 14;

const refusals: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: "its certificate is not valid yet; is this machine's clock right?",
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed, so browsers refuse it',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an authority that browsers do not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the proxy sends its certificate without the intermediate ones',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the proxy sends its certificate without the intermediate ones',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/**
 * Checks the address under which members reach the service: its certificate, and that an Outpost answers there.
 * @param isRunning whether one should
 * @param authority a certificate to trust besides the known authorities', PEM; for tests
 */
export async function checkPublicUrl(
  publicUrl: string,
  isRunning: boolean,
  now: number,
  authority?: string,
): Promise<Finding[]> {
  const address = about('http.publicUrl', publicUrl);
  const url = new URL(publicUrl);
  if (url.protocol === 'https:') {
    const problem = await certificateProblem(url, now, authority);
    if (problem !== null) return [address.is(problem)];
  }
  if (!isRunning) return [];
  const health = new URL('healthz', publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`);
  const answer = await ask(health.href);
  if (answer?.status === 'alive') return [address.good('reaches this service')];
  return [
    address.warning(
      answer === null ? 'no answer from this machine' : 'something else answers there',
      'let your proxy pass this address on to http.host and http.port; open it in a browser elsewhere to check',
    ),
  ];
}

async function certificateProblem(
  { hostname, port }: URL,
  now: number,
  authority: string | undefined,
): Promise<CheckResult | null> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const outcome = await new Promise<{ code: string } | { validTo: string }>((resolve) => {
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      servername: /^[\d.]+$|:/.test(host) ? '' : host,
      timeout: timeoutMs,
      ...(authority === undefined ? {} : { ca: authority }),
    });
    const end = (result: { code: string } | { validTo: string }): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('secureConnect', () => end({ validTo: socket.getPeerCertificate().valid_to }));
    socket.once('timeout', () => end({ code: 'ETIMEDOUT' }));
    socket.once('error', ({ code = '', message }: NodeJS.ErrnoException) => end({ code: code || message }));
  });
  const next = "renew or correct the certificate of your proxy; members' browsers check it";
  if ('code' in outcome) {
    const found = refusals[outcome.code];
    if (found !== undefined) return wrong(found, next);
    return warning(
      outcome.code === 'ENOTFOUND' ? 'the name does not resolve' : `cannot be reached (${outcome.code})`,
      'check the name, its DNS entry and your proxy; a router may refuse its own public address from inside',
    );
  }
  const days = Math.floor((Date.parse(outcome.validTo) - now) / dayMs);
  if (days >= renewedDays) return null;
  return warning(`its certificate ends in ${count(days, 'day')}`, next);
}
