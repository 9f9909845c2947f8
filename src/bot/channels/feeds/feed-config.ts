import type { DeathCause } from '../../../api/death-causes.ts';
import type { FeedContent, ShownDeaths } from '../../../commands/ports/placements.ts';
import { isKill, type Death } from '../../../embeds/kill-feed.ts';
import type { PlacedConfig } from '../placed-config.ts';

/** One kill feed: the deaths on some servers, posted in a channel. */
export interface FeedConfig extends Omit<FeedContent, 'kind'>, PlacedConfig {}

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
