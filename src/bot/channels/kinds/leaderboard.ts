import { isLogMetric } from '../../../api/log-metrics.ts';
import { logBoardOf } from '../../../commands/log-boards.ts';
import { readBranding } from '../../../commands/replies.ts';
import { bannerOf, type Branding } from '../../../embeds/branding.ts';
import { logBoardEmbed } from '../../../embeds/log-board.ts';
import { topEmbed } from '../../../embeds/top.ts';
import type { APIEmbed } from 'discord.js';
import { keptPost } from './kept-post.ts';

/** Who leads in a metric: over all time by the contract, in a period by the bot's own count. */
export const leaderboard = keptPost({
  kind: 'leaderboard',
  async view({ project, language, now }, { metric, limit, period: kind }, answeredAt) {
    const { client, community } = project;
    const { kills } = community;
    const isCounted = isLogMetric(metric) && (kind !== undefined || metric === 'KD');
    const offered = isCounted ? await kills.offered() : undefined;
    const period = offered?.periods.find((one) => one.kind === kind && one.until === null) ?? null;
    const shown = (branding: Branding | null, { description, ...embed }: APIEmbed) => {
      const note =
        kind === undefined || period !== null
          ? []
          : [`-# ${language.t('post.noPeriod', { period: language.t(`top.period.${kind}`) })}`];
      const text = [description, ...note].join('\n');
      return { embed: { ...embed, description: text, ...bannerOf(branding) } };
    };
    const counted = logBoardOf(metric, period);
    if (counted !== null && community.hasStore) {
      const [branding, board] = await Promise.all([readBranding(client), kills.board(counted, limit)]);
      const page = { ...board, board: counted, own: null };
      const pages = { total: board.rows.length, page: 1, pages: 1, updatedAt: now() };
      return {
        message: shown(branding, logBoardEmbed(language, branding, { ...page, ...pages })),
        answeredAt,
      };
    }
    if (metric === 'KD') return { message: null, answeredAt };
    const [branding, answer, changes] = await Promise.all([
      readBranding(client),
      client.listLeaderboards({ metric, limit }),
      isLogMetric(metric) ? kills.changes(metric).catch(() => undefined) : undefined,
    ]);
    const { receivedAt, stale, data } = answer;
    const [board] = data.leaderboards;
    if (stale || board === undefined) return { message: null, answeredAt: receivedAt };
    const view = { board, changes, updating: true, receivedAt, stale: false };
    return { message: shown(branding, topEmbed(language, branding, view)), answeredAt: receivedAt };
  },
});
