import { readBranding } from '../../../commands/replies.ts';
import { recapEmbed } from '../../../embeds/recap.ts';
import type { KindOptions } from '../../../config/schema/channel-jobs.ts';
import { lastMoment } from '../../../process/cron.ts';
import { recapDays } from '../../limits.ts';
import type { ChannelJob } from '../job.ts';

interface RecapState {
  /** The last moment of the cron expression that is done; epoch milliseconds. */
  due: number;
}

/**
 * Weekly recaps: a new message at each moment of a cron expression. A moment that passed while nothing ran is made up for at
 * the next start, and the first recap is posted at once.
 */
export const recap: ChannelJob<KindOptions<'recap'>, RecapState> = {
  // Its state says for which moment there was one.
  every: 'recapPollMs',
  async next({ project, pictures, language, now, log }, { cron, servers }, { due: done } = { due: 0 }) {
    const due = lastMoment(cron, now(), recapDays);
    if (due === null || due <= done) return null;
    const { client, community } = project;
    const view = await community.weekBefore(due, servers.length === 0 ? undefined : servers);
    if (view === null) {
      log.info('no recap is posted: nothing is known of the week, nor of the one before');
      return { state: { due }, message: null };
    }
    const branding = await readBranding(client).catch(() => null);
    const picture = await pictures.recap(view, branding, language);
    const embed = recapEmbed(language, branding, view);
    const players = [...view.names.keys()];
    const shown = { embed, picture, shows: 'picture' } as const;
    return { state: { due }, message: { id: 'recap', as: 'once', event: due, ...shown, players } };
  },
};
