import { metricCodes, type MetricCode } from '../api/metrics.ts';

/** The paths of a project's pages, after the project's own part. */
export const serverPath = (serverId: string): string => `/servers/${encodeURIComponent(serverId)}`;
export const boardPath = (metric: MetricCode): string => `/boards/${boardName(metric)}`;
export const playerPath = (key: string): string => `/players/${key}`;

/** `PLAYER_KILLS` as `player-kills`. */
const boardName = (metric: MetricCode): string => metric.toLowerCase().replaceAll('_', '-');

const byName = new Map(metricCodes.map((metric) => [boardName(metric), metric]));

/** Undefined: there is no such board. */
export const boardNamed = (name: string | undefined): MetricCode | undefined => byName.get(name ?? '');
