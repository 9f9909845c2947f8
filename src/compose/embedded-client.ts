import { scopes, type Scope } from '../api/access.ts';
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

/** What the application is called, and what it may read. */
interface EmbeddedApplication {
  name: string;
  scopes: readonly Scope[];
}

const bot: EmbeddedApplication = { name: 'Discord bot', scopes };

/** The service does not limit it. This is far above what Discord lets a bot answer, and only stops a bug in the bot. */
const requestsPerMinute = 60_000;

/**
 * The bot is another application of the service, one in each project that it shows; so is the public page. The secret is
 * created at each start, stays in memory, and obtains a token over loopback HTTP like any other. The application is stored
 * with the first request.
 */
export function createEmbeddedClient(
  db: Database,
  url: string,
  projectSlug: string,
  clock: Clock,
  { name, scopes }: EmbeddedApplication = bot,
): SharedClient {
  const applicationId = newApplicationId();
  const secret = newSecret();
  const application = {
    id: applicationId,
    projectSlug,
    name,
    secretHash: hashSecret(secret),
    scopes,
  };
  let stored: Promise<void> | undefined;
  const store = async (): Promise<void> => {
    stored ??= createApplication(db, { ...application, embedded: true }, clock.now());
    await stored.catch((error: unknown) => {
      stored = undefined;
      throw error;
    });
  };
  const storedFetch: typeof fetch = async (...request) => {
    await store();
    return await fetch(...request);
  };
  const access = { baseUrl: url, applicationId, secret, fetch: storedFetch };
  const keepMs = clientCacheMs('embeddedBotMs');
  return createSharedClient({ ...access, requestsPerMinute, keepMs, ...clock });
}
