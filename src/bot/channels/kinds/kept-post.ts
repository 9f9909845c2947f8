import type { Server } from '../../../api/resources.ts';
import { channelKinds, type ChannelKind, type KindOptions } from '../../../config/schema/channel-jobs.ts';
import { failureLevel, loggable } from '../../loggable.ts';
import type { ChannelJob, JobContext, KeptContent } from '../job.ts';

/** What a post remembers of the service. */
interface PostState {
  /** When the service last answered, epoch milliseconds; null: never. */
  answeredAt: number | null;
}

interface KeptPost<Kind extends ChannelKind> {
  kind: Kind;
  /** What the message shows. Null: as before, since there is no fresh answer. `unavailable`: the last answer is too old to be shown. */
  content(seen: JobContext, options: KindOptions<Kind>): Promise<KeptContent | null | 'unavailable'>;
  /** Shown while the service cannot be read. Left out: the message stays as it is. */
  unavailable?(seen: JobContext, answeredAt: number | null): Promise<KeptContent>;
}

/** A job with one message that shows what the service says. */
export function keptPost<Kind extends ChannelKind>({
  kind,
  content,
  unavailable,
}: KeptPost<Kind>): ChannelJob<KindOptions<Kind>, PostState> {
  const { name } = channelKinds[kind];

  async function read(seen: JobContext, options: KindOptions<Kind>): ReturnType<typeof content> {
    try {
      const shown = await content(seen, options);
      seen.report('service', null);
      return shown;
    } catch (error) {
      const described = loggable(error);
      const what = String(described.code ?? Object(error).name);
      const problem = `${name}: could not read the service (${what})`;
      seen.report('service', problem, { error: described }, failureLevel(error));
      return 'unavailable';
    }
  }

  return {
    async next(seen, options, state) {
      const shown = await read(seen, options);
      const answeredAt = shown === 'unavailable' ? (state?.answeredAt ?? null) : seen.now();
      const message = shown === 'unavailable' ? await unavailable?.(seen, answeredAt) : shown;
      return message ? { state: { answeredAt }, message: { ...message, as: 'kept' } } : null;
    },
  };
}

/** The servers of a post in its order, without those that the service does not have. */
export function serversOf(servers: readonly Server[], ids: readonly string[]): Server[] {
  const byId = new Map(servers.map((server) => [server.id, server]));
  return ids.map((id) => byId.get(id)).filter((server) => server !== undefined);
}
