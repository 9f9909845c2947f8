import type { APIEmbed } from 'discord.js';
import type { Logger } from 'pino';
import type { Client } from '../../../api/client-types.ts';
import { isLogMetric } from '../../../api/log-metrics.ts';
import type { Server } from '../../../api/resources.ts';
import type { Row } from '../../../commands/command.ts';
import { joinButton } from '../../../commands/join-button.ts';
import { logBoardOf } from '../../../commands/log-boards.ts';
import type { PostContent } from '../../../commands/ports/placements.ts';
import type { Ports } from '../../../commands/ports/ports.ts';
import { readStatus } from '../../../commands/read-status.ts';
import { readBranding } from '../../../commands/replies.ts';
import { readSchedules } from '../../../commands/read-schedules.ts';
import { buttonRow } from '../../../commands/view.ts';
import { shortNames } from '../../../embeds/chart/short-names.ts';
import { bannerOf, type Branding } from '../../../embeds/branding.ts';
import { embedLimits, fit } from '../../../embeds/limits.ts';
import { logBoardEmbed } from '../../../embeds/log-board.ts';
import { scheduleEmbed } from '../../../embeds/schedule.ts';
import { pausedEmbed } from '../../../embeds/setup.ts';
import { statusEmbed, statusUnavailableEmbed } from '../../../embeds/status.ts';
import { plain } from '../../../embeds/text.ts';
import { topEmbed } from '../../../embeds/top.ts';
import type { Language } from '../../../locales/language.ts';
import { failureLevel, loggable } from '../../loggable.ts';
import type { ChannelMessage } from '../channel-message.ts';

interface PostSource {
  client: Client;
  ports: Ports;
  log: Logger;
  now: () => number;
}

/** A cached answer older than this counts as unavailable. */
const staleAfterMs = 60_000;

/** What a post remembers of the service; its views update it. */
export interface PostAnswers {
  /** When the service last answered, including earlier processes; null: never. */
  at: number | null;
  /** The kind of error for which there is no view, which is logged once; null: there is one. */
  failure: string | null;
}

/** What the view of a post depends on. */
interface PostViewContext {
  language: Language;
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
  /** Whether the post is in a home guild. */
  isHome: boolean;
  answers: PostAnswers;
}

/** Builds the view of a post. Null: the message stays as it is, since there is no fresh answer. Never rejects. */
export async function postView(
  source: PostSource,
  content: PostContent,
  context: PostViewContext,
): Promise<ChannelMessage | null> {
  const { answers } = context;
  try {
    const shown = await viewOf(source, content, context);
    answers.failure = null;
    return shown;
  } catch (error) {
    const described = loggable(error);
    const failure = String(described.code ?? Object(error).name);
    if (failure !== answers.failure)
      source.log[failureLevel(error)](
        { error: described },
        `${content.kind} post: could not read the service`,
      );
    answers.failure = failure;
    return content.kind === 'status' ? await unavailableView(source, context) : null;
  }
}

function viewOf(
  source: PostSource,
  content: PostContent,
  context: PostViewContext,
): Promise<ChannelMessage | null> {
  switch (content.kind) {
    case 'status':
      return statusView(source, content, context);
    case 'leaderboard':
      return leaderboardView(source, content, context);
    case 'schedule':
      return scheduleView(source, content, context);
  }
}

const view = (embed: APIEmbed, extras: Partial<ChannelMessage> = {}): ChannelMessage => ({
  embeds: fit([embed]),
  ...extras,
});

/** The view of a post in a guild that is no longer a home guild. */
export const pausedView = (language: Language): ChannelMessage => view(pausedEmbed(language));

/** An unknown status is shown at once, since members act on it. */
async function unavailableView(
  { client }: PostSource,
  { language, answers }: PostViewContext,
): Promise<ChannelMessage> {
  return view(statusUnavailableEmbed(language, await readBranding(client), answers.at));
}

function ofPost(servers: readonly Server[], ids: readonly string[]): Server[] {
  const byId = new Map(servers.map((server) => [server.id, server]));
  return ids.map((id) => byId.get(id)).filter((server) => server !== undefined);
}

async function statusView(
  source: PostSource,
  { servers: ids, chart, names = false }: Extract<PostContent, { kind: 'status' }>,
  context: PostViewContext,
): Promise<ChannelMessage | null> {
  const { client, ports, log, now } = source;
  const { language, timezone, answers, isHome } = context;
  const answer = await client.listServers();
  answers.at = answer.receivedAt;
  if (answer.stale)
    return now() - answer.receivedAt > staleAfterMs ? await unavailableView(source, context) : null;
  const servers = ofPost(answer.data.servers, ids);
  const drawing =
    chart === 'none' || servers.length === 0
      ? null
      : ports.charts?.players({ servers, range: chart, language, timezone, now: now() });
  const [branding, status, picture = null] = await Promise.all([
    readBranding(client),
    readStatus(client, { ...answer, data: servers }, ports, { names: names && isHome }),
    drawing?.catch((error: unknown) => {
      log.warn({ error: loggable(error) }, 'status post: could not draw the chart');
    }),
  ]);
  const missing = ids.length - servers.length;
  const embed = statusEmbed(language, branding, { ...status, missing, updating: true }, now());
  return view({ ...embed, ...bannerOf(branding) }, { picture, links: joinLinks(source, language, servers) });
}

/** A row holds five buttons. */
const mostLinks = 5;

/** One join button per server, if they fit into one row. */
function joinLinks({ ports }: PostSource, language: Language, servers: readonly Server[]): Row[] {
  if (servers.length > mostLinks) return [];
  const names = shortNames(servers.map(({ name }) => plain(name, 60)));
  const buttons = servers.flatMap(({ id }, index) =>
    joinButton(language, ports.joinUrl?.(id), (servers.length > 1 && names[index]) || undefined),
  );
  return buttonRow(...buttons);
}

async function leaderboardView(
  { client, ports, now }: PostSource,
  { metric, limit, period: kind }: Extract<PostContent, { kind: 'leaderboard' }>,
  { language, answers, isHome }: PostViewContext,
): Promise<ChannelMessage | null> {
  const isCounted = isLogMetric(metric) && (kind !== undefined || metric === 'KD');
  if (isCounted && !isHome) return pausedView(language);
  const { kills } = ports;
  const offered = isCounted ? await kills?.offered() : undefined;
  const period = offered?.periods.find((one) => one.kind === kind && one.until === null) ?? null;
  const show = (branding: Branding | null, { description, ...embed }: APIEmbed): ChannelMessage => {
    const note =
      kind === undefined || period !== null
        ? []
        : [`-# ${language.t('post.noPeriod', { period: language.t(`top.period.${kind}`) })}`];
    return view({ ...embed, description: [description, ...note].join('\n'), ...bannerOf(branding) });
  };
  const counted = logBoardOf(metric, period);
  if (counted !== null) {
    const [branding, board] = await Promise.all([readBranding(client), kills?.board(counted, limit)]);
    if (board === undefined) return null;
    const { rows } = board;
    const page = { ...board, board: counted, own: null };
    const pages = { total: rows.length, page: 1, pages: 1, updatedAt: now() };
    return show(branding, logBoardEmbed(language, branding, { ...page, ...pages }));
  }
  if (metric === 'KD') return null;
  const [branding, answer, changes] = await Promise.all([
    readBranding(client),
    client.listLeaderboards({ metric, limit }),
    isHome && isLogMetric(metric) ? kills?.changes(metric).catch(() => undefined) : undefined,
  ]);
  answers.at = answer.receivedAt;
  const [board] = answer.data.leaderboards;
  if (answer.stale || board === undefined) return null;
  const { receivedAt } = answer;
  const shown = { board, changes, updating: true, receivedAt, stale: false };
  return show(branding, topEmbed(language, branding, shown));
}

async function scheduleView(
  { client, ports, now }: PostSource,
  { servers: ids }: Extract<PostContent, { kind: 'schedule' }>,
  { language, answers }: PostViewContext,
): Promise<ChannelMessage | null> {
  const answer = await client.listServers();
  answers.at = answer.receivedAt;
  if (answer.stale) return null;
  const ofIds = ofPost(answer.data.servers, ids);
  const shown = ofIds.slice(0, embedLimits.fields).map(({ id }) => id);
  const schedules = await readSchedules(client, ports, shown);
  const servers = ofIds.map((server) => ({ server, schedules: schedules.get(server.id) ?? null }));
  const { receivedAt } = answer;
  const branding = await readBranding(client);
  const embed = scheduleEmbed(language, branding, { servers, receivedAt, stale: false }, now());
  return view({ ...embed, ...bannerOf(branding) });
}
