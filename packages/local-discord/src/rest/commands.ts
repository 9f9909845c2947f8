import {
  commandJson,
  listCommands,
  overwriteCommands,
  putCommand,
  removeCommand,
  sameCommand,
} from '../state/commands.ts';
import type { Command } from '../discord-types.ts';
import { invalidForm, refusals } from '../errors.ts';
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
  return body as CommandBody;
}

function bulk({ raw }: RestRequest): unknown[] {
  if (Array.isArray(raw)) return raw as unknown[];
  const message = 'Only iterables may be used in a ListType';
  throw invalidForm({ path: [], fault: ['LIST_TYPE_CONVERT', message] });
}

function find(request: RestRequest): Command {
  const id = param(request, 'command');
  const command = listCommands(request.state, scope(request)).find((one) => one.id === id);
  if (!command) throw refusals.unknownCommand();
  return command;
}

const routesAt = (base: string): Routes => ({
  [`GET ${base}`]: (request) => {
    const localized = request.query.get('with_localizations') === 'true';
    const commands = listCommands(request.state, scope(request));
    return ok(commands.map((command) => commandJson(command, localized)));
  },
  [`POST ${base}`]: (request) => {
    const body = single(request.raw);
    const known = sameCommand(request.state, scope(request), body);
    const command = putCommand(request.state, scope(request), body, known);
    return { status: known ? 200 : 201, body: commandJson(command, true) };
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
    return ok(commandJson(putCommand(request.state, scope(request), body, command), true));
  },
  [`DELETE ${base}/:command`]: (request) => {
    removeCommand(request.state, find(request));
    return noContent;
  },
});

/** Registration of global and guild commands. */
export const commandRoutes: Routes = {
  ...routesAt('/applications/:application/commands'),
  ...routesAt('/applications/:application/guilds/:guild/commands'),
};
