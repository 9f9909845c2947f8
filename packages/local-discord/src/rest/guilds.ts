import { refusals } from '../errors.ts';
import { changeableRole } from '../state/roles.ts';
import type { Guild } from '../state/state.ts';
import { channelJson, guildJson, memberJson, roleJson } from '../wire.ts';
import { noContent, ok, param } from './router.ts';
import type { RestAnswer, RestRequest, Route } from './router.ts';

function guildOf(request: RestRequest): Guild {
  const guild = request.state.guilds.get(param(request, 'guild'));
  if (!guild) throw refusals.unknownGuild();
  return guild;
}

function member(request: RestRequest) {
  const id = param(request, 'member');
  const guild = guildOf(request);
  const found = guild.members.get(id === '@me' ? request.state.bot.id : id);
  if (!found) throw refusals.unknownMember();
  return ok(memberJson(guild, found.user));
}

/** Gives or takes a role. Doing it twice is no error. */
function changeRole(request: RestRequest, change: 'give' | 'take'): RestAnswer {
  const guild = guildOf(request);
  const role = changeableRole(request.state, guild, param(request, 'role'));
  const found = guild.members.get(param(request, 'member'));
  if (!found) throw refusals.unknownMember();
  const others = found.roles.filter((id) => id !== role.id);
  found.roles = change === 'give' ? [...others, role.id] : others;
  return noContent;
}

const memberRole = '/guilds/:guild/members/:member/roles/:role';

export const guildRoutes: Route[] = [
  { method: 'GET', path: '/guilds/:guild', handle: (request) => ok(guildJson(guildOf(request))) },
  {
    method: 'GET',
    path: '/guilds/:guild/channels',
    handle: (request) =>
      ok([...guildOf(request).channels.values()].filter(({ thread }) => !thread).map(channelJson)),
  },
  {
    method: 'GET',
    path: '/guilds/:guild/roles',
    handle: (request) => ok([...guildOf(request).roles.values()].map(roleJson)),
  },
  { method: 'GET', path: '/guilds/:guild/members/:member', handle: member },
  { method: 'PUT', path: memberRole, handle: (request) => changeRole(request, 'give') },
  { method: 'DELETE', path: memberRole, handle: (request) => changeRole(request, 'take') },
  {
    method: 'GET',
    path: '/users/@me/guilds/:guild/member',
    handle: (request) => member({ ...request, params: { ...request.params, member: '@me' } }),
  },
];
