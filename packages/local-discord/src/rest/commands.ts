import {
  changeCommand,
  commandJson,
  findCommand,
  listCommands,
  overwriteCommands,
  putCommand,
  removeCommand,
} from '../state/commands.ts';
import { FormCheck, refusals } from '../errors.ts';
import { readCommands } from '../rules/commands.ts';
import { noContent, objectBody, ok, param } from './router.ts';
import type { RestRequest, Route } from './router.ts';

/** The scope of the path: a guild the bot is in, or null for global commands. */
function scope(request: RestRequest): string | null {
  const { state, params } = request;
  if (params['application'] !== state.applicationId) throw refusals.unknownApplication();
  const guildId = params['guild'];
  if (guildId === undefined) return null;
  if (!state.guilds.has(guildId)) throw refusals.missingAccess();
  return guildId;
}

function single(raw: unknown) {
  const [body] = readCommands([raw], false);
  if (!body) throw refusals.invalidJson();
  return body;
}

function bulk(request: RestRequest): unknown[] {
  if (Array.isArray(request.body)) return request.body as unknown[];
  const check = new FormCheck();
  check.fault([], 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType');
  check.done();
  return [];
}

function routesAt(base: string): Route[] {
  const find = (request: RestRequest) =>
    findCommand(request.state, scope(request), param(request, 'command'));
  return [
    {
      method: 'GET',
      path: base,
      handle: (request) => {
        const localized = request.query.get('with_localizations') === 'true';
        return ok(
          listCommands(request.state, scope(request)).map((command) => commandJson(command, localized)),
        );
      },
    },
    {
      method: 'POST',
      path: base,
      handle: (request) => {
        const { command, created } = putCommand(request.state, scope(request), single(request.body));
        return { status: created ? 201 : 200, body: commandJson(command, true) };
      },
    },
    {
      method: 'PUT',
      path: base,
      handle: (request) => {
        const guildId = scope(request);
        const commands = overwriteCommands(request.state, guildId, readCommands(bulk(request), true));
        return ok(commands.map((command) => commandJson(command, true)));
      },
    },
    { method: 'GET', path: `${base}/:command`, handle: (request) => ok(commandJson(find(request), true)) },
    {
      method: 'PATCH',
      path: `${base}/:command`,
      handle: (request) => {
        const command = find(request);
        const body = single({ ...command, ...objectBody(request) });
        return ok(commandJson(changeCommand(request.state, command, body), true));
      },
    },
    {
      method: 'DELETE',
      path: `${base}/:command`,
      handle: (request) => {
        removeCommand(request.state, find(request));
        return noContent;
      },
    },
  ];
}

/** Registration of global and guild commands. */
export const commandRoutes: Route[] = [
  ...routesAt('/applications/:application/commands'),
  ...routesAt('/applications/:application/guilds/:guild/commands'),
];
