import { metricCodes, type MetricCode } from '../api/metrics.ts';

/** The paths of a project's pages, after the project's own part. */
export const serverPath = (serverId: string): string => `/servers/${encodeURIComponent(serverId)}`;
/** For other people's pages: files of one server or of all of the project. */
export const calendarPath = (serverId?: string): string => `/calendar${within(serverId)}/schedules.ics`;
export const picturePath = (serverId?: string): string => `/picture${within(serverId)}/preview.png`;
export const boardPath = (metric: MetricCode): string => `/boards/${boardName(metric)}`;
export const playerPath = (key: string): string => `/players/${key}`;

const within = (serverId: string | undefined): string =>
  serverId === undefined ? '' : `/${encodeURIComponent(serverId)}`;

/** `PLAYER_KILLS` as `player-kills`. */
const boardName = (metric: MetricCode): string => metric.toLowerCase().replaceAll('_', '-');

const byName = new Map(metricCodes.map((metric) => [boardName(metric), metric]));

/** Undefined: there is no such board. */
export const boardNamed = (name: string | undefined): MetricCode | undefined => byName.get(name ?? '');
