import { scopes as allScopes, type Scope } from '../api/access.ts';
import { createSharedClient, type SharedClient } from '../api/client.ts';
import { clientCacheMs } from '../api/operations.ts';
import type { Clock } from '../process/clock.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../server/store/repositories/applications/credentials.ts';
import { createApplication } from '../server/store/repositories/applications/applications.ts';
import type { Database } from '../server/store/engine/database.ts';

/** The service does not limit it. This is far above what Discord lets a bot answer, and only stops a bug in the bot. */
const requestsPerMinute = 60_000;

/**
 * The bot is another application of the service, one in each project that it shows; so is the public page. The secret is
 * created at each start, stays in memory, and obtains a token over loopback HTTP like any other. The application is stored
 * with the first request.
 */
export function createEmbeddedClient(
  db: Database,
  baseUrl: string,
  projectSlug: string,
  clock: Clock,
  { name, scopes }: { name: string; scopes: readonly Scope[] } = { name: 'Discord bot', scopes: allScopes },
): SharedClient {
  const applicationId = newApplicationId();
  const secret = newSecret();
  const secretHash = hashSecret(secret);
  const application = { id: applicationId, projectSlug, name, secretHash, scopes, embedded: true };
  let stored: Promise<void> | undefined;
  return createSharedClient({
    baseUrl,
    applicationId,
    secret,
    requestsPerMinute,
    keepMs: clientCacheMs('embeddedBotMs'),
    async fetch(...request) {
      stored ??= createApplication(db, application, clock.now());
      await stored.catch((error: unknown) => {
        stored = undefined;
        throw error;
      });
      return await fetch(...request);
    },
    ...clock,
  });
}
