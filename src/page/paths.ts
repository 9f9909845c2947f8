import { boardMetrics, type BoardMetric } from '../api/log-metrics.ts';

/** The paths of a project's pages, after the project's own part. */
export const serverPath = (serverId: string): string => `/servers/${encodeURIComponent(serverId)}`;
/** Files for other programs, of one server or of the whole project. */
export const calendarPath = (serverId?: string): string => `/calendar${idSegment(serverId)}/schedules.ics`;
export const picturePath = (serverId?: string): string => `/picture${idSegment(serverId)}/preview.png`;
/** @param period its id; left out: over all time */
export const boardPath = (metric: BoardMetric, period?: string): string =>
  `/boards/${boardName(metric)}${idSegment(period)}`;
export const playerPath = (key: string): string => `/players/${key}`;
export const cardPath = (key: string): string => `${playerPath(key)}/card.png`;
export const imagePath = (kind: 'logo' | 'banner'): string => `/images/${kind}`;

/** `/<id>`, or nothing. */
const idSegment = (id: string | undefined): string => (id === undefined ? '' : `/${encodeURIComponent(id)}`);

/** `PLAYER_KILLS` as `player-kills`. */
const boardName = (metric: BoardMetric): string => metric.toLowerCase().replaceAll('_', '-');

const byName = new Map(boardMetrics.map((metric) => [boardName(metric), metric]));

/** The reverse of `boardName`; undefined: there is no such board. */
export const boardNamed = (name: string | undefined): BoardMetric | undefined => byName.get(name ?? '');
