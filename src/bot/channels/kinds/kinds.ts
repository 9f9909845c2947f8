import { isLogMetric } from '../../../api/log-metrics.ts';
import type { Server } from '../../../api/resources.ts';
import { readBoard, servedMetric } from '../../../commands/boards.ts';
import type { Row } from '../../../commands/command.ts';
import { optional, readBranding } from '../../../commands/reads.ts';
import { readStatusDetails } from '../../../commands/status-details.ts';
import { buttonRow, joinButton } from '../../../commands/rows.ts';
import { channelKinds, type KindOptions } from '../../../config/schema/channel-jobs.ts';
import { bannerOf, branded, colours } from '../../../embeds/branding.ts';
import { shortNames } from '../../../embeds/chart/series.ts';
import { embedLimits } from '../../../embeds/limits.ts';
import { recapEmbed } from '../../../embeds/recap.ts';
import { scheduleEmbed } from '../../../embeds/schedule.ts';
import { statusEmbed, statusUnavailableEmbed } from '../../../embeds/status.ts';
import { plain } from '../../../embeds/text.ts';
import { boardEmbed } from '../../../embeds/top.ts';
import { lastMoment } from '../../../process/cron.ts';
import { mostButtons, recapDays, staleServersMs } from '../../limits.ts';
import type { AnyJob, ChannelJob, JobContext, JobKind } from '../job.ts';
import { alerts } from './alerts.ts';
import { feed } from './feed.ts';
import { watch } from './watch.ts';

/** How servers are: players, map, next restart, a chart. Its state: when the service last answered, epoch milliseconds. */
const status: ChannelJob<KindOptions<'status'>, { answeredAt: number }> = {
  async next(seen, { servers: ids, chart: range, names }) {
    const { project, pictures, language, timezone, now } = seen;
    const { client, community } = project;
    const answer = await client.listServers();
    if (answer.stale) {
      if (now() - answer.receivedAt > staleServersMs) throw new Error('its last answer is too old');
      return null;
    }
    const servers = serversOf(answer.data.servers, ids);
    const [branding, read] = await Promise.all([
      readBranding(client),
      readStatusDetails({ ...answer, data: servers }, community, { names }),
    ]);
    const missing = ids.length - servers.length;
    const embed = branded(branding, statusEmbed(language, { ...read, missing, updating: true }, now()));
    const draw =
      range === 'none' || servers.length === 0
        ? undefined
        : () => pictures.players({ servers, range, language, timezone, now: now() });
    const shown = { embed: { ...embed, ...bannerOf(branding) }, links: joinLinks(seen, servers), draw };
    return { state: { answeredAt: now() }, message: { as: 'kept', ...shown } };
  },
  // An unknown status is shown at once, since members act on it.
  async unavailable({ project, language }, state) {
    const branding = await readBranding(project.client);
    return { embed: branded(branding, statusUnavailableEmbed(language, state?.answeredAt ?? null)) };
  },
};

/** Who leads in a metric: over all time by the contract, in a period by the bot's own count. */
const leaderboard: ChannelJob<KindOptions<'leaderboard'>, null> = {
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
    const embed = branded(branding, boardEmbed(language, { ...read, ...pages, board }), colours.gold);
    const note =
      kind === undefined || period !== null
        ? []
        : [`-# ${language.t('post.noPeriod', { period: language.t(`top.period.${kind}`) })}`];
    const description = [embed.description, ...note].join('\n');
    const shown = { ...embed, description, ...bannerOf(branding) };
    return { state: null, message: { as: 'kept', embed: shown } };
  },
};

/** When servers restart. */
const schedule: ChannelJob<KindOptions<'schedule'>, null> = {
  async next({ project, language, now }, { servers: ids }) {
    const { client, community } = project;
    const { receivedAt, stale, data } = await client.listServers();
    if (stale) return null;
    const ofPost = serversOf(data.servers, ids);
    const shown = ofPost.slice(0, embedLimits.fields).map(({ id }) => id);
    const schedules = await optional(community.schedules(shown), new Map());
    const servers = ofPost.map((server) => ({ server, schedules: schedules.get(server.id) ?? null }));
    const branding = await readBranding(client);
    const embed = branded(branding, scheduleEmbed(language, { servers, receivedAt, stale: false }, now()));
    return { state: null, message: { as: 'kept', embed: { ...embed, ...bannerOf(branding) } } };
  },
};

/**
 * Weekly recaps: a new message at each moment of a cron expression. A moment that passed while nothing ran is made up for at
 * the next start, and the first recap is posted at once. Its state: the last moment that is done, epoch milliseconds.
 */
const recap: ChannelJob<KindOptions<'recap'>, { due: number }> = {
  // Not by its cron, which would miss the moments while nothing runs.
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
    const embed = branded(branding, recapEmbed(language, view));
    const players = [...view.names.keys()];
    const shown = { embed, picture, shows: 'picture' } as const;
    return { state: { due }, message: { id: 'recap', as: 'once', event: due, ...shown, players } };
  },
};

const jobs: Readonly<Record<JobKind, AnyJob>> = {
  status,
  leaderboard,
  schedule,
  alerts,
  feed,
  recap,
  watch,
};

const facts = { ...channelKinds, watch: { name: 'alert about players', isPost: false, needsLogs: true } };

/** A kind, with what is said of it in `config/schema/channel-jobs.ts`. */
export const jobOf = (kind: JobKind) => ({ ...jobs[kind], ...facts[kind] });

/** The servers of a post in its order, without those that the service does not have. */
function serversOf(servers: readonly Server[], ids: readonly string[]): Server[] {
  const byId = new Map(servers.map((server) => [server.id, server]));
  return ids.map((id) => byId.get(id)).filter((server) => server !== undefined);
}

/** One join button per server, if they fit into one row. */
function joinLinks({ project: { community }, language }: JobContext, servers: readonly Server[]): Row[] {
  if (servers.length > mostButtons) return [];
  const names = shortNames(servers.map(({ name }) => plain(name, 60)));
  const buttons = servers.flatMap(({ id }, index) =>
    joinButton(language, community.joinUrl(id), (servers.length > 1 && names[index]) || undefined),
  );
  return buttonRow(...buttons);
}
