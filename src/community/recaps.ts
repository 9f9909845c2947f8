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
/** How many are compared to find out how many have the same figure. */
const mostCompared = 20;

/** The weeks of a project as its store has them. */
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
  const [from, before] = [startOfPeriod('week', timezone, at, 1), startOfPeriod('week', timezone, at, 2)];
  const of = { projectId, serverIds: wanted.map(({ id }) => id) };
  const figures = await weekOf(db, { ...of, from, until });
  const earlier = await weekOf(db, { ...of, from: before, until: from });
  const known = figures
    .map((figure, index): RecapFigure => ({ ...figure, before: earlier[index]?.value ?? null }))
    .filter((figure) => figure.value !== null || figure.before !== null);
  if (known.length === 0) return null;
  const names = serverIds === undefined ? [] : wanted.map(({ name }) => name);
  return { from, until, timezone, servers: names, figures: known };
}

async function weekOf(db: Reader, scope: RecapScope): Promise<Omit<RecapFigure, 'before'>[]> {
  // One after the other: SQLite answers on this thread, and other work gets its turn in between.
  const { projectId } = scope;
  const kills = await readPeriodFigures(db, projectId, { ...scope, metric: 'PLAYER_KILLS' }, mostCompared);
  const shots = await readLongestKills(db, scope, mostCompared);
  const played = await readPeriodFigures(db, projectId, { ...scope, metric: 'PLAYTIME' }, mostCompared);
  const weapon = await readDeadliestWeapon(db, scope);
  const peak = await readPeak(db, scope);
  const newcomers = await countNewcomers(db, scope);
  return [
    { kind: 'kills', ...firstOf(kills) },
    { kind: 'shot', ...firstOf(shots), weapon: shots[0]?.weapon ?? null },
    { kind: 'played', ...firstOf(played) },
    { kind: 'weapon', value: weapon?.kills ?? null, weapon: weapon?.name ?? null },
    { kind: 'peak', value: peak?.players ?? null, ...(peak !== null && { at: peak.at }) },
    { kind: 'newcomers', value: newcomers },
  ];
}

/** The greatest figure and whose it is. */
function firstOf(bests: readonly PlayerFigure[]): Pick<RecapFigure, 'value' | 'players' | 'others'> {
  const value = bests[0]?.value ?? null;
  const first = [...new Set(bests.filter((best) => best.value === value).map(({ playerId }) => playerId))];
  const players = first.slice(0, mostNamed);
  return { value, players, others: first.length - players.length };
}
