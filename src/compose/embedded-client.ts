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

/** The service does not limit these clients. This is far above what Discord lets a bot answer, and only stops a bug in the bot. */
const requestsPerMinute = 60_000;

/**
 * A client with which the bot or the public page reads one project from the service of this process, over loopback HTTP. It is
 * an application like any other, but its secret is created at each start and stays in memory. The first request stores it.
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
  let storing: Promise<void> | undefined;
  return createSharedClient({
    baseUrl,
    applicationId,
    secret,
    requestsPerMinute,
    keepMs: clientCacheMs('embeddedBotMs'),
    async fetch(...request) {
      storing ??= createApplication(db, application, clock.now());
      await storing.catch((error: unknown) => {
        // The next request tries again.
        storing = undefined;
        throw error;
      });
      return await fetch(...request);
    },
    ...clock,
  });
}
