import { refusals } from '../errors.ts';
import type { Guild } from '../state/state.ts';
import { channelJson, guildJson, memberJson, roleJson } from '../wire.ts';
import { ok, param } from './router.ts';
import type { RestRequest, Route } from './router.ts';

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
  {
    method: 'GET',
    path: '/users/@me/guilds/:guild/member',
    handle: (request) => member({ ...request, params: { ...request.params, member: '@me' } }),
  },
];
