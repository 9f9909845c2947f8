import type { NewPlacement } from '../../commands/interfaces/placements.ts';
import {
  channelKinds,
  contentOf,
  hasPlayerRules,
  hasServerRules,
  type ChannelContent,
  type ChannelEntry,
  type ChannelKind,
} from '../../config/schema/channel-jobs.ts';
import type { DiscordConfig } from '../../config/schema/discord.ts';
import type { JobConfig, JobKind } from './job.ts';

/** One entry of `/outpost posts`, from the config or placed by a member: a job, or two of alerts about servers and players. */
export interface JobEntry {
  channelId: string;
  /** Of an entry that a member placed. */
  guildId?: string | undefined;
  /** Left out: the guild's. */
  locale?: string | undefined;
  content: ChannelContent;
}

/** The entries of a config as one list. */
export function configuredEntries(config: DiscordConfig): JobEntry[] {
  return (Object.keys(channelKinds) as ChannelKind[]).flatMap((kind) => {
    const entries: readonly ChannelEntry[] = config[channelKinds[kind].list];
    return entries.map(({ channelId, locale, ...options }) => {
      return { channelId, locale, content: contentOf(kind, options) };
    });
  });
}

/** The jobs of an entry. @param key of the entry; each job has the kind before it */
export function jobsOf({ content, ...entry }: JobEntry, key: string): JobConfig[] {
  const { kind, ...options } = content;
  const job = (of: JobKind): JobConfig => ({ ...entry, kind: of, key: `${of}:${key}`, options });
  if (content.kind !== 'alerts') return [job(kind)];
  return [
    ...(hasServerRules(content) ? [job('alerts')] : []),
    ...(hasPlayerRules(content) ? [job('watch')] : []),
  ];
}

/** What a member placed, as it is stored. */
export interface StoredPlacement extends NewPlacement {
  id: string;
}

/** What members placed, in all guilds, is one value: placements are few and always used together. */
export const placementsKey = 'placements';

/** The placements after a server of the config got another id. @returns the same list where none is about that server */
export function withRenamedServer(
  placements: readonly StoredPlacement[],
  from: string,
  to: string,
): readonly StoredPlacement[] {
  const isAbout = ({ content }: StoredPlacement): boolean =>
    'servers' in content && content.servers.includes(from);
  if (!placements.some(isAbout)) return placements;
  return placements.map((placement) => {
    const { content } = placement;
    if (!('servers' in content)) return placement;
    const servers = new Set(content.servers.map((id) => (id === from ? to : id)));
    return { ...placement, content: { ...content, servers: [...servers] } };
  });
}
