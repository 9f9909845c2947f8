import { scopes } from '../src/api/access.ts';
import { configSchema, type ConfigInput } from '../src/config/schema.ts';
import { openWriter, type Database } from '../src/server/store/engine/database.ts';
import { createApplication } from '../src/server/store/repositories/applications/applications.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../src/server/store/repositories/applications/credentials.ts';
import { reconcile } from '../src/server/store/repositories/projects/reconcile.ts';

/** With which an application asks for its token. */
export interface Credentials {
  id: string;
  secret: string;
}

export const newCredentials = (): Credentials => ({ id: newApplicationId(), secret: newSecret() });

/** Opens a store that has what the config says, so that a process finds nothing to store when it starts. */
export async function openStore(location: string, config: ConfigInput): ReturnType<typeof openWriter> {
  const writer = await openWriter(location, { busyTimeoutMs: 60_000 });
  await reconcile(writer.db, configSchema.parse(config));
  return writer;
}

/** Adds an application with every scope. */
export async function addApplication(
  db: Database,
  { id, secret }: Credentials,
  projectSlug = 'northwood',
): Promise<void> {
  const application = { id, projectSlug, name: 'bench', secretHash: hashSecret(secret), scopes };
  await createApplication(db, application, Date.now());
}
