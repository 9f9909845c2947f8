import type { Server } from '../../api/resources.ts';
import { feedPlacedEmbed } from '../../embeds/setup.ts';
import { numberOption, textOption, type Reply } from '../command.ts';
import { shownDeaths, type FeedContent, type Placed } from '../ports/placements.ts';
import { failureReply, reply } from '../replies.ts';
import { place, placementTarget, type PlacingContext } from './placing.ts';
import { boldName, withServers, type AskingView } from './server-choice.ts';
import { localeOf } from './subcommand.ts';

/** Which deaths a feed posts: kills by players, or every death. */
export const deathChoices = ['kills', 'all'] as const;

/** Minutes. Discord enforces the limits in the client. */
export const delayBounds = { min_value: 0, max_value: 60 } as const;

/** The config's default. */
const maxAgeMinutes = 10;

function isFeedOf({ channelId: place, content }: Placed, channelId: string, server: string): boolean {
  return content.kind === 'feed' && place === channelId && content.servers.includes(server);
}

/** Adds a kill feed to this channel, once the servers are chosen. */
export async function placeFeed(context: PlacingContext, view: AskingView): Promise<Reply> {
  const { language, options, ports } = context;
  if (ports.deaths === undefined)
    return failureReply(language, 'notFoundTitle', language.t('setup.needsLogs'));
  const target = placementTarget(context, ['ReadMessageHistory']);
  if ('refusal' in target) return target.refusal;
  const all = textOption(options, 'deaths') === 'all';
  const positions = options['positions'] === true;
  const asked = numberOption(options, 'delay') ?? 0;
  const delayMinutes = asked <= delayBounds.max_value ? asked : 0;
  const proceed = async (chosen: readonly Server[]): Promise<Reply> => {
    const content: FeedContent = {
      kind: 'feed',
      servers: chosen.map(({ id }) => id),
      show: all ? shownDeaths : [],
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
    const embed = feedPlacedEmbed(language, { servers, all, delayMinutes, positions });
    return await place(context, target, { content, locale: localeOf(options) }, () => ({
      ...reply(embed),
      components: [],
    }));
  };
  return await withServers(context, view, proceed, { ofLogs: true });
}
