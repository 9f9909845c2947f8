import { posix, resolve } from 'node:path';
import { discordReferences, type ProjectElsewhere } from './discord-references.ts';
import {
  type Issue,
  entries,
  idsOfProject,
  record,
  slugsOf,
  unknownProject,
  unknownServers,
} from './raw-config.ts';
import { type PlaceKind, placeKinds } from './schema/files.ts';
import { factsOf, usualGameType } from '../server/games/table.ts';
import { didYouMean } from './suggestion.ts';

/** Rules across keys of a config file: unique ids, references that resolve, keys that belong together. */

/**
 * Checks the rules across keys of a config as read from YAML. It ignores everything else, so that these mistakes are
 * reported together with those of the schema.
 */
export function configReferences(raw: unknown, elsewhere: readonly ProjectElsewhere[] = []): Issue[] {
  const issues: Issue[] = [];
  const projects = entries(raw, 'projects');
  if (projects.length === 0 && elsewhere.length === 0) {
    const message = 'expected at least one project, here or in a file of its own in the folder projects';
    issues.push({ path: ['projects'], message });
  }
  const seen = new Set<string>();
  for (const { key, what, id, path } of projects.flatMap((project) => idsOfProject(...project))) {
    if (seen.has(key))
      issues.push({ path, message: `expected a unique ${what}: ${JSON.stringify(id)} is already used` });
    seen.add(key);
  }

  const formerIds = new Set<unknown>();
  for (const [{ formerly }, path] of projects.flatMap(([project, at]) => entries(project, 'servers', at))) {
    if (typeof formerly !== 'string') continue;
    if (seen.has(`server id ${formerly}`) || formerIds.has(formerly))
      issues.push({
        path: [...path, 'formerly'],
        message: `expected an id that no other server has or had: ${JSON.stringify(formerly)} is used`,
      });
    formerIds.add(formerly);
  }

  for (const [project, at] of projects) {
    const own = new Set<unknown>();
    const remote = new Map<unknown, unknown>();
    const counted = new Map<string, unknown>();
    for (const [server, path] of entries(project, 'servers', at)) {
      own.add(server['id']);
      const files = record(server['files']);
      if (files !== undefined) {
        remote.set(server['id'], files['type']);
        issues.push(...windowsPaths(server, path));
      }
      issues.push(...countedTwice(server, counted, path));
      for (const [schedule, at] of entries(server, 'schedules', path)) {
        issues.push(...wrongTimes(schedule, at), ...missingFile(schedule, server, at));
      }
    }
    for (const [banlist, path] of entries(project, 'banlists', at)) {
      issues.push(...unknownServers(banlist['servers'], own, [...path, 'servers'], 'of the same project'));
      const applied = Array.isArray(banlist['servers']) ? new Set<unknown>(banlist['servers']) : own;
      for (const [source, at] of entries(banlist, 'sources', path)) {
        issues.push(...unknownPlace(source, remote, [...at, 'filesOf']));
        issues.push(
          ...unknownServers(source['servers'], applied, [...at, 'servers'], 'on which the list is applied'),
        );
      }
    }
  }

  const own = projects.map(([project]) => project);
  return [...issues, ...unknownPages(raw, own, elsewhere), ...discordReferences(raw, own, elsewhere)];
}

/** Projects that `http.page.projects` names and that do not exist: the page would be without them. */
function unknownPages(
  raw: unknown,
  own: readonly Record<string, unknown>[],
  elsewhere: readonly ProjectElsewhere[],
): Issue[] {
  const named = record(record(record(raw)?.['http'])?.['page'])?.['projects'];
  if (!Array.isArray(named)) return [];
  const slugs = slugsOf([...own, ...elsewhere]);
  return named.flatMap((slug, index) => unknownProject(slug, slugs, ['http', 'page', 'projects', index]));
}

/** Two servers of a project that read the same source would count it twice. */
function countedTwice(
  server: Record<string, unknown>,
  counted: Map<string, unknown>,
  path: PropertyKey[],
): Issue[] {
  if (server['active'] === false) return [];
  const at = record(server['files']);
  const game = factsOf(server['game'] ?? usualGameType);
  const defaults: Record<string, unknown> = { logs: game?.usualLogs?.[String(at?.['type'])] };
  return ['logs', 'playersDb'].flatMap((key) => {
    const place = server[key] ?? defaults[key];
    if (typeof place !== 'string') return [];
    const name = `${key} ${at === undefined ? resolve(place) : `${placeOf(at)} ${posix.normalize(place)}`}`;
    const other = counted.get(name);
    counted.set(name, server['id']);
    if (other === undefined) return [];
    const message = `expected a unique path: server ${JSON.stringify(other)} has the same, and everything would count twice`;
    return [{ path: [...path, key], message }];
  });
}

const placeKindOf = (type: unknown): PlaceKind | undefined =>
  Object.entries(placeKinds).find(([known]) => known === type)?.[1];

/** Identifies a place, whichever user logs in there. */
function placeOf({ type, host, port, username, serviceId }: Record<string, unknown>): string {
  const name = typeof host === 'string' ? host.toLowerCase() : null;
  const service = typeof serviceId === 'number' ? `${serviceId}` : serviceId;
  return JSON.stringify([type, name, port ?? placeKindOf(type)?.usualPort, username, service]);
}

function windowsPaths(server: Record<string, unknown>, path: PropertyKey[]): Issue[] {
  return ['logs', 'playersDb'].flatMap((key) => {
    const value = server[key];
    if (typeof value !== 'string' || !value.includes('\\')) return [];
    const message = 'expected a path with / instead of \\, as it is seen after the login';
    return [{ path: [...path, key], message }];
  });
}

/** @param remote the type of each server's place, by the server's id */
function unknownPlace(
  { filesOf, format }: Record<string, unknown>,
  remote: Map<unknown, unknown>,
  path: PropertyKey[],
): Issue[] {
  if (typeof filesOf !== 'string') return [];
  const fitting = [...remote].filter(([, type]) => format !== 'nitrado' || type === 'nitrado');
  const ids = fitting.map(([id]) => id);
  if (ids.includes(filesOf)) return [];
  const meant = didYouMean(
    filesOf,
    ids.filter((one) => typeof one === 'string'),
  );
  const kind = format === 'nitrado' ? 'has its files at Nitrado' : 'has the key files';
  const message = `expected the id of a server of the same project that ${kind}, got ${JSON.stringify(filesOf)}${meant}`;
  return [{ path, message }];
}

/** The ids of the servers with whose files the files of active ban lists are. @param raw the config as it was written */
export function serversOfBanFiles(raw: unknown): Set<unknown> {
  const lists = entries(raw, 'projects').flatMap(([project]) => entries(project, 'banlists'));
  const active = lists.filter(([list]) => list['active'] !== false);
  return new Set(active.flatMap(([list]) => entries(list, 'sources').map(([source]) => source['filesOf'])));
}

/** Each recurrence has keys of its own. */
function wrongTimes(schedule: Record<string, unknown>, path: PropertyKey[]): Issue[] {
  const { recurrence, intervalMinutes, timeOfDay, weekdays } = schedule;
  const hasDays = Array.isArray(weekdays) && weekdays.length > 0;
  const needs: (readonly [string, boolean, string])[] = [
    ['intervalMinutes', recurrence === 'INTERVAL' && intervalMinutes === undefined, 'a number of minutes'],
    [
      'timeOfDay',
      ['DAILY', 'WEEKLY'].includes(recurrence as string) && timeOfDay === undefined,
      'a time of day "HH:mm"',
    ],
    ['weekdays', recurrence === 'WEEKLY' && !hasDays, 'a list of days such as [MON, FRI]'],
    // It would happen on all days.
    [
      'weekdays',
      ['INTERVAL', 'DAILY'].includes(recurrence as string) && hasDays && new Set(weekdays).size < 7,
      'no days, which only WEEKLY has',
    ],
  ];
  return needs
    .filter(([, isWrong]) => isWrong)
    .map(([key, , what]) => ({
      path: [...path, key],
      message: `expected ${what}, since recurrence is ${String(recurrence)}`,
    }));
}

function missingFile(
  schedule: Record<string, unknown>,
  server: Record<string, unknown>,
  path: PropertyKey[],
): Issue[] {
  const isFound = schedule['file'] !== undefined || server['playersDb'] !== undefined;
  if (schedule['source'] !== 'messages.xml' || isFound) return [];
  return [
    {
      path: [...path, 'file'],
      message:
        'expected the path of messages.xml, since there is no playersDb that shows where the mission is',
    },
  ];
}
