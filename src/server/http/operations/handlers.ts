import { parseIdentifier } from '../../../api/identifiers.ts';
import {
  leaderboardMaxRows,
  type DataOperationId,
  type OperationParameters,
  type OperationResponse,
} from '../../../api/operations.ts';
import type { PeriodKind } from '../../../api/log-metrics.ts';
import { metricCodes, runMetrics, type RunMetric } from '../../../api/metrics.ts';
import type { Leaderboard, OnlinePlayers, Server } from '../../../api/resources.ts';
import type { Application } from '../../store/repositories/applications/applications.ts';
import * as banLists from '../../store/repositories/bans/ban-lists.ts';
import type { Reader } from '../../store/engine/database.ts';
import { readLeaderboard } from '../../store/repositories/players/leaderboards.ts';
import { findProfile } from '../../store/repositories/players/player-profiles.ts';
import { readProject } from '../../store/repositories/projects/projects.ts';
import * as servers from '../../store/repositories/projects/servers.ts';
import { Problem } from '../answers/problem.ts';

/** Queries a game server for its players; `failure` says why it could not. */
export interface OnlineList {
  read(target: servers.QueryTarget): Promise<OnlinePlayers | { failure: string }>;
}

/**
 * Leaderboards of a running period. Null: the project has none, as without seasons in its config.
 * @param slug of the project
 */
export type ReadPeriodBoards = (
  slug: string,
  asked: { period: PeriodKind; metrics: readonly RunMetric[]; limit: number },
) => Promise<{ since: string; until: string | null; leaderboards: Leaderboard[] } | null>;

/** What a handler may use: it reads the store and queries game servers, and cannot write. */
export interface HandlerContext {
  application: Application;
  db: Reader;
  online: OnlineList;
  periodBoards: ReadPeriodBoards;
  /** Address of the support pages, without the slug; null if there are none. A reload may change it. */
  supportUrl: () => string | null;
  now: () => number;
}

export type Handler<Id extends DataOperationId> = (
  parameters: OperationParameters<Id>,
  context: HandlerContext,
) => Promise<OperationResponse<Id>>;

/** A failed query is cached for seconds, so an earlier retry gets the same result. */
const retryAfterFailureSeconds = 5;

/** One handler per operation; leaving one out is a type error. */
export const handlers: { readonly [Id in DataOperationId]: Handler<Id> } = {
  async getProject(_parameters, { application, db, supportUrl }) {
    const { support, ...project } = await readProject(db, application.project.id);
    const address = supportUrl();
    const page = address === null ? null : supportPage(address, project.slug);
    return { project: { ...project, supportUrl: page }, support };
  },

  listServers: async (_parameters, { application, db }) => ({
    servers: await servers.listServers(db, application.project.id),
  }),

  async getServer({ serverId }, { application, db }) {
    return { server: await requireServer(db, application, serverId) };
  },

  async listSchedules({ serverId }, { application, db }) {
    await requireServer(db, application, serverId);
    return { schedules: await servers.listSchedules(db, serverId) };
  },

  async listOnlinePlayers({ serverId }, { application, db, online }) {
    const target = await servers.findQueryTarget(db, application.project.id, serverId);
    if (target === null) throw unknownServer();
    if (target.queryPort === null) {
      throw new Problem('data_source_not_configured', 'This server has no query port configured.');
    }
    const answer = await online.read(target);
    if (!('failure' in answer)) return answer;
    throw new Problem(
      'live_source_unavailable',
      `The player list of this server is not available right now: ${answer.failure}.`,
      { retryAfter: retryAfterFailureSeconds },
    );
  },

  async listLeaderboards({ metric, limit, period = 'all' }, { application, db, periodBoards }) {
    const rows = Math.min(limit, leaderboardMaxRows);
    if (period !== 'all') {
      const counted = runMetrics.filter((code) => metric === undefined || code === metric);
      const asked = { period, metrics: counted, limit: rows };
      const found = await periodBoards(application.project.slug, asked);
      if (found !== null) return found;
      throw new Problem('not_found', `This project has no ${period}: its config says when one begins.`);
    }
    const codes = metric === undefined ? metricCodes : [metric];
    const boards = codes.map((code) => readLeaderboard(db, application.project.id, code, rows));
    return { leaderboards: await Promise.all(boards) };
  },

  async getPlayer({ identifier }, { application, db }) {
    const parsed = parseIdentifier(identifier);
    const found = parsed === null ? null : await findProfile(db, application.project.id, parsed);
    if (found === null)
      throw new Problem('not_found', 'No player with that identifier is known in this project.');
    return { player: found.player };
  },

  listBanlists: async (_parameters, { application, db, now }) => ({
    banlists: await banLists.listBanLists(db, application.project.id, now()),
  }),

  async listBans({ banListId, limit }, { application, db, now }) {
    const bans = await banLists.listBans(db, application.project.id, banListId, limit, now());
    if (bans !== null) return { bans };
    throw new Problem(
      'not_found',
      'This project has no active ban list with that id. GET /v1/banlists lists the ids.',
    );
  },
};

function supportPage(supportUrl: string, slug: string): string {
  const page = new URL(supportUrl);
  page.pathname = `${page.pathname.replace(/\/+$/, '')}/${slug}`;
  return page.href;
}

/** @throws Problem 404 */
async function requireServer(db: Reader, { project }: Application, serverId: string): Promise<Server> {
  const server = await servers.findServer(db, project.id, serverId);
  if (server === null) throw unknownServer();
  return server;
}

function unknownServer(): Problem {
  return new Problem(
    'not_found',
    'This project has no active server with that id. GET /v1/servers lists the ids.',
  );
}
