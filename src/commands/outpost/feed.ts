import type { Server } from '../../api/resources.ts';
import { feedPlacedEmbed } from '../../embeds/setup.ts';
import { serverName } from '../../embeds/status.ts';
import { isSupported } from '../../locales/language.ts';
import type { ComponentContext, Reply } from '../command.ts';
import { shownDeaths, type FeedContent, type Placed } from '../placements.ts';
import { failureReply, reply } from '../replies.ts';
import { place, placementTarget, type PlacingContext } from './placing.ts';
import { withServers } from './server-choice.ts';

/** Which deaths a feed posts: kills by players, or every death. */
export const deathChoices = ['kills', 'all'] as const;

/** Minutes. Discord enforces the limits in the client. */
export const delayBounds = { min_value: 0, max_value: 60 } as const;

/** The same as the config's default. */
const maxAgeMinutes = 10;

/** The requested feed, before the servers are chosen. */
interface WantedFeed {
  deaths: (typeof deathChoices)[number];
  delayMinutes: number;
  positions: boolean;
  locale: string | undefined;
}

/** Whether the value of the option `delay` is within its limits. */
export function isDelay(minutes: number): boolean {
  return Number.isInteger(minutes) && minutes >= delayBounds.min_value && minutes <= delayBounds.max_value;
}

const boldName = (server: Server): string => `**${serverName(server)}**`;

function isFeedOf({ channelId: place, content }: Placed, channelId: string, server: string): boolean {
  return content.kind === 'feed' && place === channelId && content.servers.includes(server);
}

/** Adds a kill feed to this channel, once the servers are chosen. */
export async function placeFeed(context: PlacingContext, wanted: WantedFeed): Promise<Reply> {
  const { language, ports } = context;
  const { deaths, delayMinutes, positions, locale } = wanted;
  if (ports.deaths === undefined)
    return failureReply(language, 'notFoundTitle', language.t('setup.feedUnavailable'));
  const target = placementTarget(context, ['ReadMessageHistory']);
  if ('refusal' in target) return target.refusal;
  const args = [deaths, String(delayMinutes), positions ? '1' : '', locale ?? ''];
  return await withServers(context, { action: 'feed', args }, async (chosen) => {
    const content: FeedContent = {
      kind: 'feed',
      servers: chosen.map(({ id }) => id),
      show: deaths === 'all' ? shownDeaths : [],
      delaySeconds: delayMinutes * 60,
      positions,
      maxAgeMinutes,
    };
    const placed = await target.placements.list(target.guildId);
    const doubled = chosen.filter(({ id }) => placed.some((one) => isFeedOf(one, target.channelId, id)));
    if (doubled.length > 0) {
      const text = language.t('setup.feedExists', { servers: language.list(doubled.map(boldName)) });
      return failureReply(language, 'inputTitle', text, language.t('setup.placedNext'));
    }
    const servers = chosen.map(boldName);
    const embed = feedPlacedEmbed(language, { servers, all: deaths === 'all', delayMinutes, positions });
    return await place(context, target, { content, locale }, () => ({ ...reply(embed), components: [] }));
  });
}

/** Handles the menu of servers. Null: the arguments are invalid. */
export function pressFeed(context: ComponentContext): Promise<Reply> | null {
  const [asked = '', delay = '', positions = '', locale = '', ...rest] = context.args;
  const deaths = deathChoices.find((choice) => choice === asked);
  if (deaths === undefined || !/^[0-9]{1,2}$/.test(delay) || !isDelay(Number(delay))) return null;
  if (!['', '1'].includes(positions) || (locale !== '' && !isSupported(locale)) || rest.length > 0)
    return null;
  return placeFeed(context, {
    deaths,
    delayMinutes: Number(delay),
    positions: positions === '1',
    locale: locale === '' ? undefined : locale,
  });
}
