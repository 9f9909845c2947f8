import {
  type AlertRules,
  hasPlayerRules,
  hasServerRules,
  type PlacedContent,
  type PlayerAlertRules,
} from '../../commands/interfaces/placements.ts';
import type { JobConfig, JobKind } from './job.ts';

interface ConfiguredJob {
  channelId: string;
  /** Left out: the guild's. */
  locale?: string | undefined;
}

type ConfiguredPost = ConfiguredJob & { cron: string };
type ContentOf<Kind extends PlacedContent['kind']> = Omit<Extract<PlacedContent, { kind: Kind }>, 'kind'>;
type StatusContent = ContentOf<'status'>;

/** The jobs of a config file. */
export interface ConfiguredJobs {
  statusPosts: readonly (ConfiguredPost & {
    servers: readonly string[];
    chart?: StatusContent['chart'] | undefined;
    names?: boolean | undefined;
  })[];
  leaderboardPosts?: readonly (ConfiguredPost & ContentOf<'leaderboard'>)[] | undefined;
  schedulePosts?: readonly (ConfiguredPost & ContentOf<'schedule'>)[] | undefined;
  alerts?:
    readonly (ConfiguredJob & AlertRules & PlayerAlertRules & { servers: readonly string[] })[] | undefined;
  killFeeds?: readonly (ConfiguredJob & ContentOf<'feed'>)[] | undefined;
  recapPosts?: readonly (ConfiguredPost & { servers?: readonly string[] | undefined })[] | undefined;
}

/** One entry of `/outpost posts`, from the config or placed by a member: a job, or two of alerts about servers and players. */
export interface JobEntry {
  channelId: string;
  /** Of an entry that a member placed. */
  guildId?: string | undefined;
  locale?: string | undefined;
  content: PlacedContent;
  /** Of those in the config. */
  cron?: string | undefined;
}

interface ContentKind {
  /** What an entry is called. */
  name: string;
  /** The list of the config that has them. */
  list: keyof ConfiguredJobs;
  /** The cron expression of what members place, the same as the config's default. Null: it has none. */
  cron: string | null;
  /** What a service elsewhere lacks for it, as the doctor says; null: nothing. */
  lacks: string | null;
}

/** The kinds of entries. */
export const contentKinds: Readonly<Record<PlacedContent['kind'], ContentKind>> = {
  status: { name: 'status post', list: 'statusPosts', cron: '*/2 * * * *', lacks: null },
  leaderboard: { name: 'leaderboard post', list: 'leaderboardPosts', cron: '*/10 * * * *', lacks: null },
  schedule: { name: 'schedule post', list: 'schedulePosts', cron: '*/10 * * * *', lacks: null },
  alerts: { name: 'alerts', list: 'alerts', cron: null, lacks: null },
  feed: { name: 'kill feed', list: 'killFeeds', cron: null, lacks: 'has no kills for it' },
  recap: { name: 'recap', list: 'recapPosts', cron: '0 10 * * 1', lacks: 'has no recaps for it' },
};

/** The entries of a config as one list. */
export function configuredEntries(config: ConfiguredJobs): JobEntry[] {
  const { statusPosts, leaderboardPosts = [], schedulePosts = [] } = config;
  const { alerts = [], killFeeds = [], recapPosts = [] } = config;
  return [
    ...statusPosts.map(({ channelId, locale, cron, servers, chart = '24h', names = false }) => {
      return { channelId, locale, cron, content: { kind: 'status' as const, servers, chart, names } };
    }),
    ...leaderboardPosts.map(({ channelId, locale, cron, ...content }) => {
      return { channelId, locale, cron, content: { kind: 'leaderboard' as const, ...content } };
    }),
    ...schedulePosts.map(({ channelId, locale, cron, servers }) => {
      return { channelId, locale, cron, content: { kind: 'schedule' as const, servers } };
    }),
    ...alerts.map(({ channelId, locale, servers, ...rules }) => {
      return { channelId, locale, content: { kind: 'alerts' as const, servers, rules } };
    }),
    ...killFeeds.map(({ channelId, locale, ...content }) => {
      return { channelId, locale, content: { kind: 'feed' as const, ...content } };
    }),
    ...recapPosts.map(({ channelId, locale, cron, servers = [] }) => {
      return { channelId, locale, cron, content: { kind: 'recap' as const, servers } };
    }),
  ];
}

/** The jobs of an entry. @param key of the entry; each job has the kind before it */
export function jobsOf({ content, cron, ...entry }: JobEntry, key: string): JobConfig[] {
  const job = (kind: JobKind, options: object): JobConfig => {
    return { ...entry, kind, key: `${kind}:${key}`, options };
  };
  if (content.kind !== 'alerts') {
    const { kind, ...options } = content;
    const usual = contentKinds[kind].cron;
    return [job(kind, usual === null ? options : { ...options, cron: cron ?? usual })];
  }
  const { servers, rules } = content;
  const options = { servers, ...rules };
  return [
    ...(hasServerRules(rules) ? [job('alerts', options)] : []),
    ...(hasPlayerRules(rules) ? [job('watch', options)] : []),
  ];
}

/** Adds keys, which hold the channel and the position among those of its kind there, so that the content may change. */
export function keyed(entries: readonly JobEntry[]): { entry: JobEntry; key: string }[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const group = `${entry.content.kind}:${entry.channelId}`;
    const position = seen.get(group) ?? 0;
    seen.set(group, position + 1);
    return { entry, key: `${entry.channelId}:${position}` };
  });
}
