import type { APIEmbed } from 'discord-api-types/v10';
import { heatCellMeters, type HeatCell, type HeatKind } from '../../api/heat-maps.ts';
import type { Language } from '../../locales/language.ts';
import type { Terrain, Town } from '../../server/games/facts.ts';
import { escaped, facts, lines, plain, small } from '../text.ts';
import { date } from '../timestamps.ts';
import { periodName, type Period } from '../top.ts';

/** Where it happens on the map of a server. */
export interface HeatMapView {
  /** Name of the server, as it is. */
  server: string;
  kind: HeatKind;
  /** Null: all that is known. */
  period: Period | null;
  /** Null: any. */
  weapon: string | null;
  cells: readonly HeatCell[];
  /** How many events are in squares that are not shown. */
  leftOut: number;
  /** Null: the size of the map is not known. */
  terrain: Terrain | null;
  /** From when on it is counted, epoch milliseconds; null: nothing is known yet. */
  since: number | null;
  /** Nothing younger counts. */
  delayMinutes: number;
}

const signs = { deaths: '☠️', kills: '⚔️', shots: '🎯' } as const satisfies Record<HeatKind, string>;
const mostSpots = 3;
const nameLimit = 60;
/** A map whose size is unknown ends at a round figure beyond what was seen. */
const unknownStep = 2_000;
const dayMinutes = 24 * 60;

export function heatCount(language: Language, kind: HeatKind, count: number): string {
  if (kind === 'shots') return language.t('heat.shots', { count });
  return language.t(kind === 'deaths' ? 'feed.deaths' : 'feed.kills', { count });
}

/** What is shown, as plain text: `Kills · M4A1`. */
export function heatSubject(language: Language, { kind, weapon }: HeatMapView): string {
  const name = language.t(`choice.what.${kind}`);
  return facts(name, weapon !== null && plain(weapon, nameLimit));
}

export const heatPeriod = (language: Language, { period }: HeatMapView): string =>
  period === null ? language.t('top.allTime') : periodName(language, period);

/** The length of the map's side in metres. */
export function heatSide({ terrain, cells }: Pick<HeatMapView, 'terrain' | 'cells'>): number {
  if (terrain !== null) return terrain.meters;
  const seen = Math.max(1, ...cells.map(({ x, z }) => Math.max(x, z) + 1)) * heatCellMeters;
  return Math.ceil(seen / unknownStep) * unknownStep;
}

/** The spots with the most, by the nearest town; on a map without towns by kilometres to the east and north. */
export function busiestSpots(
  language: Language,
  { cells, terrain }: HeatMapView,
): { name: string; events: number }[] {
  const towns = terrain?.towns ?? [];
  const spots = new Map<string, number>();
  for (const { x, z, events } of cells) {
    const [east, north] = [(x + 0.5) * heatCellMeters, (z + 0.5) * heatCellMeters];
    const away = (town: { east: number; north: number }) => Math.hypot(town.east - east, town.north - north);
    // To sort them for each of a thousand squares would keep the bot busy.
    const nearest = towns.reduce<Town | undefined>(
      (best, town) => (best === undefined || away(town) < away(best) ? town : best),
      undefined,
    );
    const km = (meters: number) => language.number(meters / 1000, 1);
    const name = nearest?.name ?? language.t('heat.at', { east: km(east), north: km(north) });
    spots.set(name, (spots.get(name) ?? 0) + events);
  }
  return [...spots]
    .map(([name, events]) => ({ name, events }))
    .toSorted((one, other) => other.events - one.events)
    .slice(0, mostSpots);
}

const sumOf = (cells: readonly HeatCell[]): number => cells.reduce((sum, { events }) => sum + events, 0);

function leftOutText(language: Language, { kind, leftOut }: HeatMapView): string | false {
  return leftOut > 0 && language.t('heat.leftOut', { what: heatCount(language, kind, leftOut) });
}

/** The map in words, for those who do not see it. */
export function heatAlt(language: Language, view: HeatMapView): string {
  const { cells, kind, server } = view;
  const period = heatPeriod(language, view);
  const title = language.t('heat.alt', { server: plain(server), what: heatSubject(language, view), period });
  if (cells.length === 0) return facts(`${title}. ${language.t('heat.none')}`, leftOutText(language, view));
  const spots = busiestSpots(language, view).map(
    ({ name, events }) => `${name} (${language.number(events)})`,
  );
  const most = language.t('heat.most', { places: language.list(spots) });
  return `${title}. ${heatCount(language, kind, sumOf(cells))}. ${most}`;
}

/** The answer above the map. It says who is left out, and from when on it counts. */
export function heatEmbed(language: Language, view: HeatMapView): APIEmbed {
  const { cells, kind, server, since, delayMinutes } = view;
  const isDay = delayMinutes >= dayMinutes;
  const delay = isDay
    ? language.t('heat.dayLater')
    : language.t('heat.minutesLater', { count: delayMinutes });
  const period = escaped(heatPeriod(language, view), nameLimit);
  const isEmpty = cells.length === 0;
  return {
    title: `${signs[kind]} ${escaped(heatSubject(language, view), 100)} · ${escaped(server, 100)}`,
    description: lines(
      facts(period, !isEmpty && `**${heatCount(language, kind, sumOf(cells))}**`),
      isEmpty && language.t('heat.none'),
      busiestSpots(language, view).map(({ name, events }) =>
        facts(`📍 **${escaped(name)}**`, language.number(events)),
      ),
      leftOutText(language, view),
      small(`${language.t('heat.rule')} ${delay}`),
      since !== null && small(language.t('top.logsCount', { when: date(since) })),
    ),
  };
}
