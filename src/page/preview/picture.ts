import type { Server } from '../../api/resources.ts';
import { type HistoryBucket, segmentsOf, type ServerHistory } from '../../embeds/chart/series.ts';
import { mapName } from '../../embeds/maps.ts';
import { nextRestart } from '../../embeds/schedule-times.ts';
import { oldestCheck, summaryOf } from '../../embeds/status.ts';
import { countText, playersWord, shareOf } from '../../embeds/server-state.ts';
import { plain } from '../../embeds/text.ts';
import type { Language } from '../../locales/language.ts';
import type { ShownServer } from '../project.ts';
import { plainName, type View, type ViewedProject } from '../view.ts';

/** A server among several. */
interface Row {
  name: string;
  status: Server['status'];
  /** `37 / 60`, or the state. */
  fact: string;
  /** Of the slots; null: unknown. */
  share: number | null;
}

/** Player counts of the last day with their caption. */
export interface Day {
  caption: string;
  /** Step of `dayStepMs` and players, from gap to gap. */
  segments: readonly (readonly (readonly [step: number, players: number])[])[];
}

/**
 * What is on the picture of a link. Plain data: equal data are one picture, and their hash is in its address, since whoever
 * shows a link keeps the picture of an address for long.
 */
export interface Picture {
  /** The project's title, above that of a server; empty: none. */
  site: string;
  title: string;
  /** `#` and six hex digits. */
  accentColor: string;
  /** When the servers were checked, in words. */
  asOf: string | null;
  /** Below the title; alt text, too. */
  facts: string[];
  /** Only on the picture of one server. */
  server: {
    status: Server['status'];
    /** `37`, and `/ 60 players`; null: the state says it all. */
    players: { count: string; of: string; share: number | null } | null;
    day: Day | null;
  } | null;
  /** Only on the picture of a project. */
  rows: Row[];
  /** How many servers have no row, in words; null: all have one. */
  more: string | null;
}

interface PictureView extends Pick<View, 'language' | 'now'> {
  project: Pick<ViewedProject, 'title' | 'accentColor'>;
}

/** What Open Graph's readers show whole. */
export const pictureSize = { width: 1200, height: 630 } as const;
export const pictureRows = 5;
/** Player counts of a last day are means of steps of this length. */
export const dayStepMs = 30 * 60_000;
export const dayMs = 86_400_000;
export const daySteps = dayMs / dayStepMs;
const titleLength = 80;

/** `8:00 PM UTC` */
function timeOfDay({ locale }: Language, at: number, timeZone: string): string {
  const format = { timeZone, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  return new Intl.DateTimeFormat(locale, format).format(at);
}

function asOfText(language: Language, servers: readonly Server[], timeZone: string): string | null {
  // The oldest check, so that nothing on the picture is older than it says.
  const oldest = oldestCheck(servers);
  if (oldest === undefined) return null;
  return language.t('preview.asOf', { time: timeOfDay(language, Date.parse(oldest), timeZone) });
}

/** The counts of the last day; null: fewer than two, which make no line. */
function dayOf(language: Language, buckets: readonly HistoryBucket[], now: number): Day | null {
  const start = Math.floor(now / dayStepMs) * dayStepMs - dayMs + dayStepMs;
  const segments = segmentsOf(
    buckets.filter(({ at }) => at >= start),
    dayStepMs,
  ).map((segment) =>
    segment.map(({ at, players }) => [(at - start) / dayStepMs, Math.round(players)] as const),
  );
  return segments.flat().length < 2 ? null : { caption: language.t('chart.day'), segments };
}

/** @param history the player counts of the last day, in steps of `dayStepMs`, and the zone of all times on the picture */
export function serverPicture(
  { project, language, now }: PictureView,
  { server, schedules }: Pick<ShownServer, 'server' | 'schedules'>,
  { buckets, timezone }: ServerHistory,
): Picture {
  const { players, maxPlayers } = server;
  const isCounted = server.status === 'ONLINE' && players !== null;
  const word = playersWord(language, server);
  const map = mapName(server.map, (text) => plain(text, 60));
  const restart = nextRestart(schedules, now);
  const time = restart === null ? null : timeOfDay(language, restart, timezone);
  const restartLabel = language.t('status.nextRestart');
  const restartText = time && language.t('labelled', { label: restartLabel, value: time });
  return {
    site: plain(project.title, titleLength),
    title: plainName(server, titleLength),
    accentColor: project.accentColor,
    asOf: asOfText(language, [server], timezone),
    facts: [language.t(`state.${server.status}`), map, restartText].filter((text) => text !== null),
    server: {
      status: server.status,
      players: isCounted
        ? {
            count: language.number(players),
            of: maxPlayers === null ? word : `/ ${language.number(maxPlayers)} ${word}`,
            share: shareOf(server),
          }
        : null,
      day: dayOf(language, buckets, now),
    },
    rows: [],
    more: null,
  };
}

export function projectPicture({ project, language }: PictureView, servers: readonly Server[]): Picture {
  const left = servers.length - pictureRows;
  return {
    site: '',
    title: plain(project.title, titleLength) || '?',
    accentColor: project.accentColor,
    asOf: asOfText(language, servers, 'UTC'),
    facts: summaryOf(language, servers).map((text) => text.replaceAll('**', '')),
    server: null,
    rows: servers.slice(0, pictureRows).map((server) => ({
      name: plainName(server, titleLength),
      status: server.status,
      fact: countText(language, server) ?? language.t(`state.${server.status}`),
      share: shareOf(server),
    })),
    more: left > 0 ? language.t('chart.more', { count: left }) : null,
  };
}

/** What a picture shows, in words. */
export function altText({ t }: Language, { title, facts, server, rows }: Picture): string {
  const count = server?.players == null ? [] : [`${server.players.count} ${server.players.of}`];
  return [
    title,
    ...count,
    ...facts,
    ...rows.map(({ name, fact }) => t('labelled', { label: name, value: fact })),
  ].join(' · ');
}
