import { didYouMean } from './suggestion.ts';

/** Configs as they are read from YAML, before the schema has checked them. */

/** A mistake and where it is. */
export interface Issue {
  path: PropertyKey[];
  message: string;
}

/** The ids of a list that are not known servers. */
export function unknownServers(
  ids: unknown,
  known: Set<unknown>,
  path: PropertyKey[],
  whose: string,
): Issue[] {
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

/** The slugs of projects. */
export const slugsOf = (projects: readonly Record<string, unknown>[]): string[] =>
  projects.map(({ slug }) => slug).filter((slug) => typeof slug === 'string');

/** A slug that no project has. */
export function unknownProject(slug: unknown, known: readonly string[], path: PropertyKey[]): Issue[] {
  if (typeof slug !== 'string' || known.includes(slug)) return [];
  const meant = didYouMean(slug, known);
  return [{ path, message: `expected the slug of a project, got ${JSON.stringify(slug)}${meant}` }];
}

/** The objects of a list with their paths; none if there is no such list. */
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

export function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** An id that may be there once. */
export interface UsedId {
  /** Kind and id. */
  key: string;
  what: string;
  id: string;
  path: PropertyKey[];
}

export const usedId = (what: string, id: unknown, path: PropertyKey[]): UsedId[] =>
  typeof id === 'string' ? [{ key: `${what} ${id}`, what, id, path }] : [];

/** The ids of a project, which no other project may have. */
export function idsOfProject(project: Record<string, unknown>, at: PropertyKey[]): UsedId[] {
  return [
    ...usedId('slug', project['slug'], [...at, 'slug']),
    ...entries(project, 'servers', at).flatMap(([{ id }, path]) => usedId('server id', id, [...path, 'id'])),
    ...entries(project, 'banlists', at).flatMap(([{ id }, path]) =>
      usedId('ban list id', id, [...path, 'id']),
    ),
  ];
}
