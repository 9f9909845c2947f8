import type { Plan, Scope } from '../../src/api/access.ts';
import { dataOperationIds, operations, type Operation } from '../../src/api/operations.ts';
import type { Facts, Service } from './world/service.ts';

export interface DataOperation {
  name: string;
  scope: Scope;
  plan: Plan;
  /** A path at which it succeeds. */
  path(service: Pick<Service, 'fact'>): string;
  /** The path with another id in it, where it has one. */
  pathOf?: (id: string) => string;
  /** Which fact the id is. */
  idFact?: keyof Facts;
  /** Keys of the answer. */
  keys: readonly string[];
  /** Keys beyond the specification, which not every answer has. */
  mayHave?: readonly string[];
}

function withId(
  template: string,
  idFact: keyof Facts,
): Required<Pick<DataOperation, 'path' | 'pathOf' | 'idFact'>> {
  const pathOf = (id: string): string => template.replace('*', id);
  return { idFact, pathOf, path: ({ fact }) => pathOf(fact(idFact)) };
}

/** The endpoint table of spec §Endpoints. Written out: the service derives its routes from a table of its own. */
const specified: readonly DataOperation[] = [
  {
    name: 'GET /v1/project',
    scope: 'project:read',
    plan: 'FREE',
    path: () => '/v1/project',
    keys: ['project', 'support'],
  },
  {
    name: 'GET /v1/servers',
    scope: 'servers:read',
    plan: 'FREE',
    path: () => '/v1/servers',
    keys: ['servers'],
  },
  {
    name: 'GET /v1/server/{serverId}',
    scope: 'servers:read',
    plan: 'FREE',
    ...withId('/v1/server/*', 'server'),
    keys: ['server'],
  },
  {
    name: 'GET /v1/server/{serverId}/schedules',
    scope: 'schedules:read',
    plan: 'LITE',
    ...withId('/v1/server/*/schedules', 'server'),
    keys: ['schedules'],
  },
  {
    name: 'GET /v1/server/{serverId}/players/online',
    scope: 'players:read',
    plan: 'FREE',
    ...withId('/v1/server/*/players/online', 'liveServer'),
    keys: ['online', 'listedPlayers', 'players', 'incompletePlayers', 'observedAt', 'source', 'cached'],
    mayHave: ['fromLog'],
  },
  {
    name: 'GET /v1/leaderboards',
    scope: 'leaderboards:read',
    plan: 'LITE',
    path: () => '/v1/leaderboards',
    keys: ['leaderboards'],
  },
  {
    name: 'GET /v1/player/{identifier}',
    scope: 'players:read',
    plan: 'FREE',
    ...withId('/v1/player/*', 'steamId64'),
    keys: ['player'],
  },
  {
    name: 'GET /v1/banlists',
    scope: 'banlists:read',
    plan: 'FREE',
    path: () => '/v1/banlists',
    keys: ['banlists'],
  },
  {
    name: 'GET /v1/banlists/{banListId}/bans',
    scope: 'banlists:read',
    plan: 'FREE',
    ...withId('/v1/banlists/*/bans', 'banList'),
    keys: ['bans'],
  },
];

export const liveOperation = specified[4] as DataOperation;

const factOf = { serverId: 'server', banListId: 'banList', identifier: 'steamId64' } as const;

/** The operations that the service has beyond the specification, as the rows of its table say. */
const added = dataOperationIds.flatMap((id): DataOperation[] => {
  const { method, path, scope, plan, response }: Operation = operations[id];
  const name = `${method} ${path}`;
  if (specified.some((operation) => operation.name === name)) return [];
  const [, parameter] = /\{(\w+)\}/.exec(path) ?? [];
  const { required = [], properties = {} } = response.toJSONSchema();
  return [
    {
      name,
      scope,
      plan,
      ...(parameter === undefined
        ? { path: () => path }
        : withId(path.replace(`{${parameter}}`, '*'), factOf[parameter as keyof typeof factOf])),
      keys: required,
      mayHave: Object.keys(properties).filter((key) => !required.includes(key)),
    },
  ];
});

export const dataOperations: readonly DataOperation[] = [...specified, ...added];
