import type { DeathCause } from '../../../api/death-causes.ts';
import type { FeedContent, ShownDeaths } from '../../../commands/placements.ts';
import { isKill, type Death } from '../../../embeds/kill-feed.ts';

/** One kill feed: the deaths on some servers, posted in a channel. */
export interface FeedConfig extends Omit<FeedContent, 'kind'> {
  /** The feed's state is stored under this key. */
  key: string;
  /** Where a member placed it; left out: the config places it. */
  guildId?: string | undefined;
  channelId: string;
  /** Left out: the guild's. */
  locale?: string | undefined;
}

/** The feeds of a config file. Their keys hold the channel and the position among its feeds. */
export function configuredFeeds(feeds: readonly Omit<FeedConfig, 'key' | 'guildId'>[]): FeedConfig[] {
  const seen = new Map<string, number>();
  return feeds.map((feed) => {
    const place = seen.get(feed.channelId) ?? 0;
    seen.set(feed.channelId, place + 1);
    return { ...feed, key: `feed:${feed.channelId}:${place}` };
  });
}

/** The part of `show` to which a cause belongs. */
const shownAs = {
  player: null,
  self: 'suicides',
  suicide: 'suicides',
  animal: 'animals',
  infected: 'infected',
  vehicle: 'vehicles',
  fall: 'falls',
  ai: 'others',
  explosion: 'others',
  trap: 'others',
  fire: 'others',
  drowned: 'others',
  'bled-out': 'others',
  died: 'others',
  other: 'others',
} as const satisfies Record<DeathCause, ShownDeaths | null>;

/** Whether a feed posts a death. Kills by players are always posted. */
export function isShown({ show }: Pick<FeedConfig, 'show'>, death: Pick<Death, 'cause' | 'killer'>): boolean {
  if (isKill(death)) return true;
  const kind = shownAs[death.cause];
  return kind !== null && show.includes(kind);
}
