import { placeName } from 'game-files';
import { banSource } from '../bans/ban-sources.ts';
import type { BanlistConfig, ProjectConfig, ServerConfig } from '../../../../config/schema.ts';
import { placedFile } from './placed-file.ts';

/*
 * The rows of what the config defines, with every column but the keys. What is stored and what is compared with the store is
 * the same.
 */

export function projectRow(project: ProjectConfig) {
  const { support } = project;
  return {
    name: project.name,
    plan: project.plan,
    suspended: Number(project.suspended),
    support: JSON.stringify({
      title: support.title ?? null,
      description: support.description ?? null,
      accentColor: support.accentColor ?? null,
      logoUrl: support.logoUrl ?? null,
      bannerUrl: support.bannerUrl ?? null,
      discordUrl: support.discordUrl ?? null,
    }),
    kills_kept_ms: project.killsKept,
    kill_positions: Number(project.killPositions),
    hide_banned: Number(project.leaderboards.banned === 'hide'),
    active: 1,
  };
}

export function serverRow(server: ServerConfig, position: number) {
  return {
    position,
    name: server.name,
    game: server.game,
    host: server.host,
    port: server.port,
    query_port: server.queryPort ?? null,
    timezone: server.timezone,
    files_at: server.files === undefined ? null : placeName(server.files),
    active: Number(server.active),
  };
}

export function scheduleRows(server: ServerConfig) {
  return server.schedules.map((schedule, position) => ({
    position,
    title: schedule.title,
    description: schedule.description ?? null,
    public: Number(schedule.public),
    active: Number(schedule.active),
    ...timesOf(schedule, server),
  }));
}

function timesOf(schedule: ServerConfig['schedules'][number], { id, files, timezone }: ServerConfig) {
  if (schedule.source === 'messages.xml') {
    return {
      kind: 'RESTART',
      recurrence: 'INTERVAL',
      interval_minutes: null,
      time_of_day: null,
      weekdays: '[]',
      timezone: ianaName(timezone),
      file: placedFile(schedule.file, files === undefined ? undefined : id),
    };
  }
  const { kind, recurrence, intervalMinutes = null, timeOfDay = null, weekdays = [] } = schedule;
  return {
    kind,
    recurrence,
    // A config may still have the keys of an earlier recurrence.
    interval_minutes: recurrence === 'INTERVAL' ? intervalMinutes : null,
    time_of_day: timeOfDay,
    weekdays: JSON.stringify(recurrence === 'WEEKLY' ? weekdays : []),
    timezone: ianaName(schedule.timezone ?? timezone),
    file: null,
  };
}

let namesOfZones: ReadonlyMap<string, string> | undefined;

/**
 * A time zone as IANA spells it: Intl takes `utc` for UTC, most programs that read schedules do not. Names that Intl does
 * not list stay as they are written.
 */
function ianaName(zone: string): string {
  namesOfZones ??= new Map(
    ['UTC', 'GMT', ...Intl.supportedValuesOf('timeZone')].map((name) => [name.toLowerCase(), name]),
  );
  return namesOfZones.get(zone.toLowerCase()) ?? zone;
}

export function banListRow(
  banlist: BanlistConfig,
  position: number,
  servers: readonly Pick<ServerConfig, 'id'>[],
) {
  return {
    position,
    name: banlist.name,
    description: banlist.description ?? null,
    public: Number(banlist.public),
    verification_status: banlist.verificationStatus,
    server_ids: JSON.stringify(banlist.servers ?? servers.map(({ id }) => id)),
    file_servers: JSON.stringify(
      Object.fromEntries(
        banlist.sources.flatMap(({ file, filesOf, format, servers: own }) =>
          own === undefined ? [] : [[banSource('config', format, file, filesOf), own]],
        ),
      ),
    ),
    active: Number(banlist.active),
  };
}
