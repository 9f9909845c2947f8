import { ServiceError, type Client } from '../api/client-types.ts';
import type { ErrorCode } from '../api/errors.ts';
import type { Server } from '../api/resources.ts';
import { brandingOf, type Branding } from '../embeds/branding.ts';

/** Reads what an answer can do without: if that fails, the answer has `otherwise` instead. */
export async function optional<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  return await reading.catch(() => otherwise);
}

/** The servers by id; none while the service does not answer. */
export async function readServersById(client: Client): Promise<ReadonlyMap<string, Server>> {
  const answer = await optional(client.listServers(), null);
  return new Map(answer?.data.servers.map((server) => [server.id, server]));
}

/** Whether the service refused a request for this reason. */
export const isRefusal = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ServiceError && error.code === code;

/** The project's branding; null if it cannot be read, since answers work without it. */
export async function readBranding(client: Client): Promise<Branding | null> {
  const reading = client.getProject().then(({ data }) => brandingOf(data));
  return await optional(reading, null);
}

/** Refuses for a suspended project, as the service does, what the bot answers without it. @throws ServiceError */
export async function demandOpenProject(client: Client): Promise<void> {
  await client.getProject().catch((error: unknown) => {
    if (isRefusal(error, 'project_suspended')) throw error;
  });
}
