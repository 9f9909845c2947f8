import { isLogMetric, type PeriodKind } from '../api/log-metrics.ts';
import type { RoleHolders, RoleMembers, RoleRule } from '../commands/interfaces/community.ts';
import type { ProjectConfig } from '../config/schema.ts';
import type { Reader } from '../server/store/engine/database.ts';
import {
  type LinkedPlayer,
  readLinkedPlayers,
} from '../server/store/repositories/member-roles/linked-players.ts';
import { readLeaders } from '../server/store/repositories/players/leaderboards.ts';
import {
  type FigureFilter,
  type PlayerFigure,
  readPeriodFigures,
} from '../server/store/repositories/players/period-boards.ts';
import { type CountedRange, countedRange, periodsOf } from './periods.ts';
import type { StoredProject } from './stored-project.ts';

/** How many players are read beyond the last rank that counts, since some may share it. Of more than that, some get no role. */
const mostWithOneRank = 500;
const mostPlayers = 100_000;
const hourSeconds = 3_600;
const dayMs = 86_400_000;
/** For how long figures are remembered: to count a long season takes SQLite 0.3 s. Roles still change within a minute. */
const rememberMs = 30_000;

/** Finds out which members of a project are to have roles by their link, play time, rank or last visit. */
export function createRoleMembers({ reader: db, now, open, remember }: StoredProject): RoleMembers {
  return async (roles) => {
    const opened = await open('listLeaderboards');
    if (opened === null) {
      const why = 'the project is suspended, or its plan has no leaderboards';
      return new Map(roles.map(({ roleId }) => [roleId, why]));
    }
    const { project, projectId } = opened;
    // A claim is no proof, and a role is seen by everyone.
    const linked = (await readLinkedPlayers(db, projectId)).filter(({ isProven }) => isProven);
    const readFigures = async (query: FigureFilter, limit: number): Promise<PlayerFigure[]> =>
      await remember(['figures', query, limit], rememberMs, () =>
        readPeriodFigures(db, projectId, query, limit),
      );
    const context = { db, project, projectId, linked, now: now(), readFigures };
    const holdersByRole = new Map<string, RoleHolders | string>();
    // One after the other: SQLite answers on this thread, and other work gets its turn in between.
    for (const { roleId, ...rule } of roles) {
      const holders = await holdersOf(rule, context);
      const before = holdersByRole.get(roleId) ?? new Set();
      // A text says why the holders are unknown. It stays, since another rule does not give all of them.
      if (typeof before === 'string') continue;
      holdersByRole.set(roleId, typeof holders === 'string' ? holders : new Set([...before, ...holders]));
    }
    return holdersByRole;
  };
}

interface Context {
  db: Reader;
  project: ProjectConfig;
  projectId: string;
  linked: readonly LinkedPlayer[];
  now: number;
  readFigures: (query: FigureFilter, limit: number) => Promise<PlayerFigure[]>;
}

/** The members who meet a rule; a text: why that cannot be known. */
async function holdersOf(rule: RoleRule, context: Context): Promise<RoleHolders | string> {
  const { db, linked, project, projectId, now, readFigures } = context;
  const membersWho = (meets: (player: LinkedPlayer) => boolean): RoleHolders =>
    new Set(linked.filter(meets).map(({ memberId }) => memberId));
  const membersAmong = (figures: readonly PlayerFigure[]): RoleHolders => {
    const ids = new Set(figures.map(({ playerId }) => playerId));
    return membersWho(({ playerId }) => ids.has(playerId));
  };
  const { playTime, rank, playedWithin } = rule;
  if (playedWithin !== undefined) {
    const since = now - playedWithin.days * dayMs;
    return membersWho(({ lastSeenAt }) => lastSeenAt !== null && lastSeenAt >= since);
  }
  const period = (playTime ?? rank)?.period;
  /** Null: all time. */
  const counted = period === undefined ? null : countedPeriod(project, period, now);
  if (typeof counted === 'string') return counted;
  if (playTime !== undefined) {
    const atLeast = playTime.hours * hourSeconds;
    if (counted === null)
      return membersWho(({ isOnBoards, playSeconds }) => isOnBoards && (playSeconds ?? 0) >= atLeast);
    return membersAmong(await readFigures({ metric: 'PLAYTIME', ...counted, atLeast }, mostPlayers));
  }
  // The rule `linked`: all who have proven which player they are.
  if (rank === undefined) return membersWho(() => true);
  const { metric, first } = rank;
  const limit = first + mostWithOneRank;
  const figures =
    counted === null || !isLogMetric(metric)
      ? await readLeaders(db, projectId, metric, limit)
      : await readFigures({ metric, ...counted }, limit);
  // Equal figures share a rank (1, 2, 2, 4), as on leaderboards.
  const last = figures[first - 1]?.value ?? 0;
  return membersAmong(figures.filter(({ value }) => value >= last));
}

/** What counts in the running period of a kind, as on boards; a text: why nothing does. */
function countedPeriod(project: ProjectConfig, kind: PeriodKind, now: number): CountedRange | string {
  const { slug, servers } = project;
  if (!servers.some(({ logs }) => logs !== undefined))
    return `no server of the project ${slug} has logs, from which a ${kind} is counted; set logs of a server`;
  // The latest season comes first.
  const period = periodsOf(project, now).find((one) => one.kind === kind);
  if (period !== undefined) return countedRange(period);
  return `the project ${slug} has no ${kind} that has begun; add it to ${kind}s of the project`;
}
