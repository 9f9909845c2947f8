import { isLogMetric, type LogMetric } from '../api/log-metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { PlayerReference } from '../api/resources.ts';
import type { Boards } from '../commands/interfaces/community.ts';
import { playerKey, type BoardRow, type Period, type RankChange } from '../embeds/top.ts';
import { readKillBoard, readWeapons } from '../server/store/repositories/kills/boards.ts';
import type { ReadPeriodBoards } from '../server/http/operations/handlers.ts';
import { ranksOf, toLeaderboard } from '../server/store/repositories/players/leaderboards.ts';
import {
  readFiguresBefore,
  readPeriodFigures,
  readRatioFigures,
  withPlayers,
} from '../server/store/repositories/players/period-boards.ts';
import { earliestOf } from '../server/store/repositories/projects/projects.ts';
import { countedRange, endOf, periodsOf } from './periods.ts';
import { refOfId } from './stored-players.ts';
import type { StoredProject } from './stored-project.ts';

/** The most weapons that have a board: those with the most kills. */
const mostWeapons = 100;
/** For how long a counted board is remembered. Whoever is banned must be gone from boards within five seconds. */
const boardMs = 4_000;
/** The same for the ranks of a week ago. */
const pastMs = 60_000;
const weaponsMs = 5 * 60_000;
const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
/** How many leaders of the period before a board names. */
const mostLeaders = 3;
/** Whoever was not among the first 200 a week ago is new on a board. */
const mostPastRanks = 200;

type Figures = readonly { playerId: number; player: PlayerReference; value: number }[];

/** The figures of a period, or of a part of it, greatest first; remembered for `ms`. */
async function readCounted(
  { id, reader, remember }: StoredProject,
  metric: LogMetric,
  range: Pick<Period, 'kind' | 'from' | 'until'>,
  limit: number,
  ms = boardMs,
): Promise<Figures> {
  const projectId = await id();
  const filter = { metric, ...countedRange(range) };
  return await remember(['period', filter, limit], ms, async () =>
    withPlayers(reader, await readPeriodFigures(reader, projectId, filter, limit)),
  );
}

/** From when on runs are counted in a period: when it began, or the first run of which a log is stored. */
async function countedSince({ id, reader }: StoredProject, { from }: Period): Promise<number> {
  return Math.max(from, (await earliestOf(reader, await id(), 'log_run.started_at')) ?? 0);
}

/** The leaderboards of running periods that `/v1` answers. */
export function createPeriodBoards(projectOf: (slug: string) => StoredProject): ReadPeriodBoards {
  return async (slug, { period: kind, metrics, limit }) => {
    const stored = projectOf(slug);
    const opened = await stored.open('listLeaderboards');
    const now = stored.now();
    const periods = opened === null ? [] : periodsOf(opened.project, now);
    const period = periods.find((one) => one.kind === kind && one.until === null);
    if (opened === null || period === undefined) return null;
    const boards = metrics.map(async (metric) => {
      // One count for callers with any limit: on a large store it takes 0.3 s, as long with one row as with all.
      const rows = await readCounted(stored, metric, period, leaderboardMaxRows);
      return toLeaderboard(metric, rows.slice(0, limit));
    });
    const until = endOf(opened.project, period, now);
    return {
      since: new Date(await countedSince(stored, period)).toISOString(),
      until: until === null ? null : new Date(until).toISOString(),
      leaderboards: await Promise.all(boards),
    };
  };
}

/** The leaderboards that the bot counts out of a project's store. */
export function createBoards(stored: StoredProject): Boards {
  const { reader: db, now, remember } = stored;
  /** A week ago, to the hour: what is counted up to then stays the same for long. */
  const weekAgo = (): number => Math.floor((now() - weekMs) / hourMs) * hourMs;
  return {
    async offered() {
      const opened = await stored.open('listLeaderboards');
      if (opened === null) return { periods: [], weapons: [] };
      const { project, projectId: id } = opened;
      // Remembered, since this is asked for at each keystroke of a member.
      const firstRun = await remember(['first run'], boardMs, () => earliestOf(db, id, 'log_run.started_at'));
      if (firstRun === null) return { periods: [], weapons: [] };
      const weapons = await remember(['weapons'], weaponsMs, () => readWeapons(db, id, mostWeapons));
      return { periods: periodsOf(project, now()), weapons };
    },
    async read({ metric, weapon, period }, limit) {
      const opened = await stored.open('listLeaderboards');
      if (opened === null || !isLogMetric(metric)) return { rows: [], since: null, previous: [] };
      const { projectId: id } = opened;
      if (weapon !== null) {
        const key = ['weapon', weapon, limit];
        const rows = await remember(key, boardMs, () => readKillBoard(db, id, weapon, limit));
        return { rows: ranked(rows), since: await earliestOf(db, id, 'death.at'), previous: [] };
      }
      if (period === null) {
        const rows = await remember(['ratio', limit], boardMs, async () =>
          withPlayers(db, await readRatioFigures(db, id, limit)),
        );
        return { rows: ranked(rows), since: null, previous: [] };
      }
      const { kind, from, until, previous } = period;
      const rows = await readCounted(stored, metric, period, limit);
      const before = previous && { kind, from: previous.from, until: from };
      const leaders = before && (await readCounted(stored, metric, before, mostLeaders));
      const ranWeekAgo = until === null && from < weekAgo();
      const upToWeekAgo = { kind, from, until: weekAgo() };
      const past = ranWeekAgo ? await readCounted(stored, metric, upToWeekAgo, mostPastRanks, pastMs) : [];
      const since = await countedSince(stored, period);
      return { rows: ranked(rows, past), since, previous: ranked(leaders ?? []) };
    },
    async changes(metric) {
      const opened = await stored.open('listLeaderboards');
      if (opened === null || !isLogMetric(metric)) return new Map();
      const { projectId: id } = opened;
      const figures = await remember(['changes', metric], boardMs, () =>
        readFiguresBefore(db, id, metric, weekAgo(), mostPastRanks),
      );
      const past = (figures ?? [])
        .filter(({ before }) => before > 0)
        .map(({ before, ...figure }) => ({ ...figure, value: before }))
        .toSorted((one, other) => other.value - one.value);
      const changes = new Map<string, RankChange>();
      for (const { player, change } of ranked(figures ?? [], past)) {
        const key = playerKey(player);
        // Null where several have one key: the leaderboard does not say which of them a row is.
        changes.set(key, changes.has(key) ? null : change);
      }
      return changes;
    },
  };
}

/** Gives the rows ranks. @param past the same board a week ago; empty: nobody was on it, so nobody is said to be new */
function ranked(rows: Figures, past: Figures = []): BoardRow[] {
  const pastRanks = ranksOf(past);
  const pastRankOf = new Map(past.map(({ playerId }, index) => [playerId, pastRanks[index]!]));
  const ranks = ranksOf(rows);
  return rows.map(({ playerId, player, value }, index) => {
    const rank = ranks[index]!;
    const pastRank = pastRankOf.get(playerId);
    const change: RankChange = pastRank === undefined ? 'new' : pastRank - rank;
    return { rank, player, ref: refOfId(playerId), value, change: past.length === 0 ? null : change };
  });
}
