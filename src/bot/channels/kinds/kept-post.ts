import type { PostContent } from '../../../commands/ports/placements.ts';
import type { Server } from '../../../api/resources.ts';
import { failureLevel, loggable } from '../../loggable.ts';
import type { ChannelJob, JobContext, Message } from '../job.ts';

/** What a post remembers of the service. */
export interface PostState {
  /** When the service last answered, epoch milliseconds; null: never. */
  answeredAt: number | null;
}

export type PostOptions<Kind extends PostContent['kind']> = Omit<
  Extract<PostContent, { kind: Kind }>,
  'kind'
> & { cron: string };

/** What a post shows now; `message` null: it stays as it is, since there is no fresh answer. */
export interface PostView {
  message: Message | null;
  answeredAt: number | null;
}

interface KeptPost<Kind extends PostContent['kind']> {
  kind: Kind;
  /** @param answeredAt when the service last answered */
  view(seen: JobContext, options: PostOptions<Kind>, answeredAt: number | null): Promise<PostView>;
  /** Shown while the service cannot be read. Left out: the message stays as it is. */
  unavailable?(seen: JobContext, answeredAt: number | null): Promise<PostView>;
}

/** A job with one message that shows what the service says. */
export function keptPost<Kind extends PostContent['kind']>({
  kind,
  view,
  unavailable,
}: KeptPost<Kind>): ChannelJob<PostOptions<Kind>, PostState> {
  const name = `${kind} post`;

  async function read(seen: JobContext, options: PostOptions<Kind>, answeredAt: number | null) {
    try {
      const shown = await view(seen, options, answeredAt);
      seen.problem(null);
      return shown;
    } catch (error) {
      const described = loggable(error);
      const what = String(described.code ?? Object(error).name);
      seen.problem(
        `${name}: could not read the service (${what})`,
        { error: described },
        failureLevel(error),
      );
      return (await unavailable?.(seen, answeredAt)) ?? null;
    }
  }

  return {
    name,
    keepsMessage: true,
    when: ({ cron }) => ({ cron }),
    needsStore: false,
    async next(seen, options, state) {
      const shown = await read(seen, options, state?.answeredAt ?? null);
      if (shown?.message === undefined || shown.message === null) return null;
      const { message, answeredAt } = shown;
      return { state: { answeredAt }, message: { ...message, as: 'kept' } };
    },
  };
}

/** The servers of a post in its order, without those that the service does not have. */
export function serversOf(servers: readonly Server[], ids: readonly string[]): Server[] {
  const byId = new Map(servers.map((server) => [server.id, server]));
  return ids.map((id) => byId.get(id)).filter((server) => server !== undefined);
}
