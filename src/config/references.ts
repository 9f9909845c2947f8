import { resolve } from 'node:path';
import { didYouMean } from './suggestion.ts';

/** What one part of a config file asks of another: ids used once, references that lead somewhere, keys that go together. */

/** A mistake and where it is. */
export interface Issue {
  path: PropertyKey[];
  message: string;
}

/**
 * Checks what a config as read from YAML says across its keys. It is lenient about everything else, so that these mistakes are
 * named together with those of the schema.
 */
export function configReferences(raw: unknown): Issue[] {
  const issues: Issue[] = [];
  const projects = entries(raw, 'projects');
  const slugs = new Map<string, PropertyKey[]>();
  const serverIds = new Map<string, PropertyKey[]>();
  const banlistIds = new Map<string, PropertyKey[]>();
  const once = (seen: Map<string, PropertyKey[]>, value: unknown, path: PropertyKey[], what: string) => {
    if (typeof value !== 'string') return;
    if (seen.has(value))
      issues.push({ path, message: `expected a ${what} of its own, ${JSON.stringify(value)} is taken` });
    else seen.set(value, path);
  };

  for (const [project, at] of projects) {
    once(slugs, project['slug'], [...at, 'slug'], 'slug');
    const own = new Set<unknown>();
    const counted = new Map<string, unknown>();
    for (const [server, path] of entries(project, 'servers', at)) {
      once(serverIds, server['id'], [...path, 'id'], 'server id');
      own.add(server['id']);
      issues.push(...countedTwice(server, counted, path));
      for (const [schedule, at] of entries(server, 'schedules', path)) {
        issues.push(...missingTimes(schedule, at), ...missingFile(schedule, server, at));
      }
    }
    for (const [banlist, path] of entries(project, 'banlists', at)) {
      once(banlistIds, banlist['id'], [...path, 'id'], 'ban list id');
      issues.push(...unknownServers(banlist['servers'], own, [...path, 'servers'], 'of the same project'));
      const applied = Array.isArray(banlist['servers']) ? new Set<unknown>(banlist['servers']) : own;
      for (const [source, at] of entries(banlist, 'sources', path)) {
        issues.push(
          ...unknownServers(source['servers'], applied, [...at, 'servers'], 'on which the list is applied'),
        );
      }
    }
  }

  const discord = record(record(raw)?.['discord']);
  if (discord === undefined) return issues;
  const slug = discord['project'];
  if (typeof slug === 'string' && !slugs.has(slug)) {
    issues.push({
      path: ['discord', 'project'],
      message: `expected the slug of a project, got ${JSON.stringify(slug)}${didYouMean(slug, [...slugs.keys()])}`,
    });
    return issues;
  }
  const shown = projects.find(([project]) => slug === undefined || project['slug'] === slug);
  const shownServers = new Set(shown ? entries(shown[0], 'servers').map(([server]) => server['id']) : []);
  const posts = ['statusPosts', 'schedulePosts', 'alerts'].flatMap((key) =>
    entries(discord, key, ['discord']),
  );
  for (const [post, path] of posts) {
    issues.push(
      ...unknownServers(post['servers'], shownServers, [...path, 'servers'], "of the bot's project"),
    );
  }
  return issues;
}

/** What two servers of a project both read would count twice for its players. */
function countedTwice(
  server: Record<string, unknown>,
  counted: Map<string, unknown>,
  path: PropertyKey[],
): Issue[] {
  if (server['active'] === false) return [];
  return ['logs', 'playersDb'].flatMap((key) => {
    const place = server[key];
    if (typeof place !== 'string') return [];
    const name = `${key} ${resolve(place)}`;
    const other = counted.get(name);
    counted.set(name, server['id']);
    if (other === undefined) return [];
    const message = `expected a path of its own: server ${JSON.stringify(other)} has the same, and all would count twice`;
    return [{ path: [...path, key], message }];
  });
}

/** Each recurrence needs other keys. */
function missingTimes(schedule: Record<string, unknown>, path: PropertyKey[]): Issue[] {
  const { recurrence, intervalMinutes, timeOfDay, weekdays } = schedule;
  const needs: (readonly [string, boolean, string])[] = [
    ['intervalMinutes', recurrence === 'INTERVAL' && intervalMinutes === undefined, 'a number of minutes'],
    [
      'timeOfDay',
      ['DAILY', 'WEEKLY'].includes(recurrence as string) && timeOfDay === undefined,
      'a time of day "HH:mm"',
    ],
    [
      'weekdays',
      recurrence === 'WEEKLY' && !(Array.isArray(weekdays) && weekdays.length > 0),
      'a list of days such as [MON, FRI]',
    ],
  ];
  return needs
    .filter(([, missing]) => missing)
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

function unknownServers(ids: unknown, known: Set<unknown>, path: PropertyKey[], whose: string): Issue[] {
  if (!Array.isArray(ids)) return [];
  return ids.flatMap((id, index) =>
    typeof id !== 'string' || known.has(id)
      ? []
      : [
          {
            path: [...path, index],
            message: `expected the id of a server ${whose}, got ${JSON.stringify(id)}${didYouMean(
              id,
              [...known].filter((one) => typeof one === 'string'),
            )}`,
          },
        ],
  );
}

/** The objects of a list and where each is; none where there is no such list. */
export function entries(
  parent: unknown,
  key: string,
  at: PropertyKey[] = [],
): [Record<string, unknown>, PropertyKey[]][] {
  const list = record(parent)?.[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index): [Record<string, unknown>, PropertyKey[]][] => {
    const entry = record(item);
    return entry === undefined ? [] : [[entry, [...at, key, index]]];
  });
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
