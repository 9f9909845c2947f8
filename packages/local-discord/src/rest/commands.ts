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
import { type CommandBody, readCommands } from '../rules/commands.ts';
import { noContent, ok, param, type RestRequest, type Routes } from './router.ts';

/** The scope of the path: a guild the bot is in, or null for global commands. */
function scope({ state, params }: RestRequest): string | null {
  if (params['application'] !== state.applicationId) throw refusals.unknownApplication();
  const guildId = params['guild'];
  if (guildId === undefined) return null;
  if (!state.guilds.has(guildId)) throw refusals.missingAccess();
  return guildId;
}

function single(raw: unknown): CommandBody {
  const [body] = readCommands([raw], false);
  if (!body) throw refusals.invalidJson();
  return body;
}

function bulk({ raw }: RestRequest): unknown[] {
  if (Array.isArray(raw)) return raw as unknown[];
  const check = new FormCheck();
  check.fault([], 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType');
  check.done();
  return [];
}

function find(request: RestRequest) {
  return findCommand(request.state, scope(request), param(request, 'command'));
}

const routesAt = (base: string): Routes => ({
  [`GET ${base}`]: (request) => {
    const localized = request.query.get('with_localizations') === 'true';
    const commands = listCommands(request.state, scope(request));
    return ok(commands.map((command) => commandJson(command, localized)));
  },
  [`POST ${base}`]: (request) => {
    const { command, created } = putCommand(request.state, scope(request), single(request.raw));
    return { status: created ? 201 : 200, body: commandJson(command, true) };
  },
  [`PUT ${base}`]: (request) => {
    const guildId = scope(request);
    const commands = overwriteCommands(request.state, guildId, readCommands(bulk(request), true));
    return ok(commands.map((command) => commandJson(command, true)));
  },
  [`GET ${base}/:command`]: (request) => ok(commandJson(find(request), true)),
  [`PATCH ${base}/:command`]: (request) => {
    const command = find(request);
    const body = single({ ...command, ...request.body });
    return ok(commandJson(changeCommand(request.state, scope(request), body, command), true));
  },
  [`DELETE ${base}/:command`]: (request) => {
    removeCommand(request.state, scope(request), find(request));
    return noContent;
  },
});

/** Registration of global and guild commands. */
export const commandRoutes: Routes = {
  ...routesAt('/applications/:application/commands'),
  ...routesAt('/applications/:application/guilds/:guild/commands'),
};
