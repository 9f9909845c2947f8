import { scopes } from '../api/access.ts';
import { createSharedClient, type SharedClient } from '../api/client.ts';
import { clientCacheMs, tokenLimit } from '../api/operations.ts';
import type { Clock } from '../process/clock.ts';
import { hashSecret, newApplicationId, newSecret } from '../server/store/applications/credentials.ts';
import { embeddedQuota } from '../server/http/access.ts';
import { createApplication, deleteEmbeddedApplications } from '../server/store/applications/applications.ts';
import type { Database } from '../server/store/database.ts';

/**
 * The bot is another application of the service. Its secret is created at each start, stays in memory, and obtains a
 * token over loopback HTTP like any other.
 */
export async function createEmbeddedClient(
  db: Database,
  url: string,
  projectSlug: string,
  clock: Clock,
): Promise<SharedClient> {
  await deleteEmbeddedApplications(db);
  const applicationId = newApplicationId();
  const secret = newSecret();
  const application = {
    id: applicationId,
    projectSlug,
    name: 'Discord bot',
    secretHash: hashSecret(secret),
    scopes,
  };
  await createApplication(db, { ...application, embedded: true }, clock.now());
  const requestsPerMinute = (embeddedQuota(tokenLimit) * 60) / tokenLimit.windowSeconds;
  const access = { baseUrl: url, applicationId, secret };
  const keepMs = clientCacheMs('embeddedBotMs');
  return createSharedClient({ ...access, requestsPerMinute, keepMs, ...clock });
}
