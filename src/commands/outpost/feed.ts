import type { Server } from '../../api/resources.ts';
import { feedPlacedEmbed } from '../../embeds/setup.ts';
import { numberOption, textOption, type Reply } from '../command.ts';
import { shownDeaths, type FeedContent } from '../ports/placements.ts';
import { reply } from '../replies.ts';
import { place, placementTarget, type PlacingContext } from './placing.ts';
import { boldName, refuseDoubled, withServers, type AskingView } from './server-choice.ts';
import { localeOf } from './subcommand.ts';

/** Which deaths a feed posts: kills by players, or every death. */
export const deathChoices = ['kills', 'all'] as const;

/** Minutes. Discord enforces the limits in the client. */
export const delayBounds = { min_value: 0, max_value: 60 } as const;

/** The config's default. */
const maxAgeMinutes = 10;

/** Adds a kill feed to this channel, once the servers are chosen. */
export async function placeFeed(context: PlacingContext, view: AskingView): Promise<Reply> {
  const { language, options } = context;
  const target = placementTarget(context);
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
    const doubled = await refuseDoubled(context, target, 'feed', chosen);
    if (doubled !== null) return doubled;
    const servers = chosen.map(boldName);
    const embed = feedPlacedEmbed(language, { servers, all, delayMinutes, positions });
    return await place(context, target, { content, locale: localeOf(options) }, () => ({
      ...reply(embed),
      components: [],
    }));
  };
  return await withServers(context, view, proceed, { ofLogs: true });
}
