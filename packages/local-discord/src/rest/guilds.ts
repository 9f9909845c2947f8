import { refusals } from '../errors.ts';
import { changeableRole } from '../state/roles.ts';
import type { Guild } from '../state/state.ts';
import { channelJson, guildJson, memberJson, roleJson } from '../wire.ts';
import { noContent, ok, param, type RestAnswer, type RestRequest, type Routes } from './router.ts';

function guildOf(request: RestRequest): Guild {
  const guild = request.state.guilds.get(param(request, 'guild'));
  if (!guild) throw refusals.unknownGuild();
  return guild;
}

function memberOf(request: RestRequest, guild: Guild, id = param(request, 'member')) {
  const member = guild.members.get(id === '@me' ? request.state.bot.id : id);
  if (!member) throw refusals.unknownMember();
  return member;
}

/** Gives or takes a role. Doing it twice is no error. */
function changeRole(request: RestRequest, change: 'give' | 'take'): RestAnswer {
  const guild = guildOf(request);
  const role = changeableRole(request.state, guild, param(request, 'role'));
  const member = memberOf(request, guild);
  const others = member.roles.filter((id) => id !== role.id);
  member.roles = change === 'give' ? [...others, role.id] : others;
  return noContent;
}

function answerMember(request: RestRequest, id?: string): RestAnswer {
  const guild = guildOf(request);
  return ok(memberJson(guild, memberOf(request, guild, id).user));
}

export const guildRoutes: Routes = {
  'GET /guilds/:guild': (request) => ok(guildJson(guildOf(request))),
  'GET /guilds/:guild/channels': (request) =>
    ok([...guildOf(request).channels.values()].filter(({ thread }) => !thread).map(channelJson)),
  'GET /guilds/:guild/roles': (request) => ok([...guildOf(request).roles.values()].map(roleJson)),
  'GET /guilds/:guild/members/:member': (request) => answerMember(request),
  'PUT /guilds/:guild/members/:member/roles/:role': (request) => changeRole(request, 'give'),
  'DELETE /guilds/:guild/members/:member/roles/:role': (request) => changeRole(request, 'take'),
  'GET /users/@me/guilds/:guild/member': (request) => answerMember(request, '@me'),
};
