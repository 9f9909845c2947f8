import { scopes } from '../../api/access.ts';
import { createClient } from '../../api/client.ts';
import { ServiceError } from '../../api/client-types.ts';
import { askForToken, type HeldTokenData } from '../../api/held-token.ts';
import { readAnswer } from '../../api/operation-call.ts';
import { operations } from '../../api/operations.ts';
import { unknownServers } from '../../compose/server-ids.ts';
import type { Environment } from '../../config/environment.ts';
import type { DiscordConfig } from '../../config/schema.ts';
import { about, type Finding } from './finding.ts';
import { limits } from '../limits.ts';

const timeoutMs = limits.remoteServiceMs;

/** Checks the service that a remote bot reads: its address, the application, its scopes, and the config's server ids. */
export async function checkRemoteService(
  { apiUrl, applicationId, secret }: NonNullable<Environment['remoteService']>,
  discord: DiscordConfig,
): Promise<Finding[]> {
  const report = about('OUTPOST_API_URL', apiUrl);
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
    return [report.wrong(error instanceof Error ? error.message : String(error), nextStep(error))];
  }
}

function nextStep(error: unknown): string {
  if (!(error instanceof ServiceError))
    return 'check that this is the address of an Outpost without /v1, and that this machine can reach it';
  if (error.code !== 'invalid_credentials') return "this is the service's own message; its owner can help";
  return 'check OUTPOST_APPLICATION_ID and OUTPOST_SECRET; "outpost app rotate ID" on the other machine makes a new secret';
}
