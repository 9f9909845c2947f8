import type { Community } from '../commands/interfaces/community.ts';
import type { ProjectConfig } from '../config/schema.ts';
import type { Recap, RecapFigure } from '../embeds/recap.ts';
import type { Reader } from '../server/store/engine/database.ts';
import {
  type PlayerFigure,
  readPeriodFigures,
  startOfPeriod,
} from '../server/store/repositories/players/period-boards.ts';
import {
  countNewcomers,
  readDeadliestWeapon,
  readLongestKills,
  readShownNames,
  type RecapScope,
} from '../server/store/repositories/players/recap.ts';
import { readPeak } from '../server/store/repositories/projects/history.ts';
import type { StoredProject } from './stored-project.ts';

/** The most players with the same figure who are named. */
const mostNamed = 3;
/** How many of the best are read, to count those with the same figure. */
const mostRead = 20;

/** Reads the figures of a project's last full week, for its recap. */
export function createWeekBefore({ reader, open }: StoredProject): Community['weekBefore'] {
  return async (at, serverIds) => {
    const opened = await open('listLeaderboards');
    const recap = opened && (await recapOf(reader, opened, at, serverIds));
    if (recap === null) return null;
    const ids = [...new Set(recap.figures.flatMap(({ players = [] }) => players))];
    return { recap, names: await readShownNames(reader, ids, recap.until) };
  };
}

/** Weeks begin on Monday in the zone of the project's first server. */
async function recapOf(
  db: Reader,
  { project: { servers }, projectId }: { project: ProjectConfig; projectId: string },
  at: number,
  serverIds: readonly string[] | undefined,
): Promise<Recap | null> {
  const timezone = servers[0]?.timezone ?? 'UTC';
  const wanted = servers.filter(({ id, active }) => serverIds?.includes(id) ?? active);
  const until = startOfPeriod('week', timezone, at);
  const from = startOfPeriod('week', timezone, at, 1);
  const fromBefore = startOfPeriod('week', timezone, at, 2);
  const scope = { projectId, serverIds: wanted.map(({ id }) => id) };
  const figures = await readWeek(db, { ...scope, from, until });
  // The same kinds in the same order.
  const figuresBefore = await readWeek(db, { ...scope, from: fromBefore, until: from });
  const known = figures
    .map((figure, index): RecapFigure => ({ ...figure, before: figuresBefore[index]?.value ?? null }))
    .filter((figure) => figure.value !== null || figure.before !== null);
  if (known.length === 0) return null;
  const names = serverIds === undefined ? [] : wanted.map(({ name }) => name);
  return { from, until, timezone, servers: names, figures: known };
}

async function readWeek(db: Reader, scope: RecapScope): Promise<Omit<RecapFigure, 'before'>[]> {
  // One after the other: SQLite answers on this thread, and other work gets its turn in between.
  const { projectId } = scope;
  const kills = await readPeriodFigures(db, projectId, { ...scope, metric: 'PLAYER_KILLS' }, mostRead);
  const shots = await readLongestKills(db, scope, mostRead);
  const played = await readPeriodFigures(db, projectId, { ...scope, metric: 'PLAYTIME' }, mostRead);
  const weapon = await readDeadliestWeapon(db, scope);
  const peak = await readPeak(db, scope);
  const newcomers = await countNewcomers(db, scope);
  return [
    { kind: 'kills', ...leadersOf(kills) },
    { kind: 'shot', ...leadersOf(shots), weapon: shots[0]?.weapon ?? null },
    { kind: 'played', ...leadersOf(played) },
    { kind: 'weapon', value: weapon?.kills ?? null, weapon: weapon?.name ?? null },
    { kind: 'peak', value: peak?.players ?? null, ...(peak !== null && { at: peak.at }) },
    { kind: 'newcomers', value: newcomers },
  ];
}

/** The greatest figure and whose it is. @param bests greatest first */
function leadersOf(bests: readonly PlayerFigure[]): Pick<RecapFigure, 'value' | 'players' | 'others'> {
  const value = bests[0]?.value ?? null;
  const leaders = [...new Set(bests.filter((best) => best.value === value).map(({ playerId }) => playerId))];
  const players = leaders.slice(0, mostNamed);
  return { value, players, others: leaders.length - players.length };
}
