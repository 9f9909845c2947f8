import { isLogMetric } from '../../../api/log-metrics.ts';
import { readBoard, servedMetric } from '../../../commands/boards.ts';
import { readBranding } from '../../../commands/replies.ts';
import type { KindOptions } from '../../../config/schema/channel-jobs.ts';
import { bannerOf } from '../../../embeds/branding.ts';
import { boardEmbed } from '../../../embeds/top.ts';
import type { ChannelJob } from '../job.ts';

/** Who leads in a metric: over all time by the contract, in a period by the bot's own count. */
export const leaderboard: ChannelJob<KindOptions<'leaderboard'>, null> = {
  async next({ project, language, now }, { metric, limit, period: kind }) {
    const { client, community } = project;
    const isCounted = isLogMetric(metric) && kind !== undefined;
    const offered = isCounted ? await community.boards.offered() : undefined;
    const period = offered?.periods.find((one) => one.kind === kind && one.until === null) ?? null;
    const board = { metric, period, weapon: null };
    if (servedMetric(board) === null && !community.hasStore) return null;
    const [branding, read] = await Promise.all([
      readBranding(client),
      readBoard({ client, community, now: now() }, board, limit),
    ]);
    if (read.stale) return null;
    const pages = { total: read.rows.length, page: 1, pages: 1, own: null, updatedAt: read.receivedAt };
    const embed = boardEmbed(language, branding, { ...read, ...pages, board });
    const note =
      kind === undefined || period !== null
        ? []
        : [`-# ${language.t('post.noPeriod', { period: language.t(`top.period.${kind}`) })}`];
    const description = [embed.description, ...note].join('\n');
    const shown = { ...embed, description, ...bannerOf(branding) };
    return { state: null, message: { as: 'kept', embed: shown } };
  },
};
