import { PermissionFlagsBits as permission } from 'discord-api-types/v10';
import { refusals } from '../errors.ts';
import { memberJson, roleJson } from '../wire.ts';
import { permissionsOf, plainRole, type RoleOptions } from './guilds.ts';
import { holds } from './permissions.ts';
import { type Guild, rememberUser, type Role, type State } from './state.ts';

/**
 * A role that the bot is to give or take (Discord: Permissions, Permission Hierarchy).
 * @throws DiscordError when it may not
 */
export function changeableRole(state: State, guild: Guild, roleId: string): Role {
  const role = guild.roles.get(roleId);
  if (!role) throw refusals.unknownRole();
  if (role.managed || role.id === guild.id) throw refusals.invalidRole();
  const own = guild.members.get(state.bot.id)?.roles ?? [];
  const granted = permissionsOf(guild, own);
  const isBelow = own.some((id) => isAbove(guild.roles.get(id), role));
  if (!isBelow || !holds(granted, permission.ManageRoles)) throw refusals.missingPermissions();
  return role;
}

/** Of two with the same position, the older one is above. */
function isAbove(one: Role | undefined, other: Role): boolean {
  if (one === undefined) return false;
  return one.position === other.position ? BigInt(one.id) < BigInt(other.id) : one.position > other.position;
}

/** Changes a role, or adds it; null deletes it, from its members too. */
export function setRole(
  state: State,
  guild: Guild,
  id: string,
  change: Partial<Omit<RoleOptions, 'id'>> | null,
): void {
  const everybody = { guildId: guild.id, intent: 1 };
  const known = guild.roles.get(id);
  if (change === null) {
    guild.roles.delete(id);
    for (const member of guild.members.values()) member.roles = member.roles.filter((one) => one !== id);
    state.dispatch('GUILD_ROLE_DELETE', { guild_id: guild.id, role_id: id }, everybody);
    return;
  }
  const role: Role = { ...plainRole, id, name: id, ...known, ...change };
  guild.roles.set(id, role);
  const event = known ? 'GUILD_ROLE_UPDATE' : 'GUILD_ROLE_CREATE';
  state.dispatch(event, { guild_id: guild.id, role: roleJson(role) }, everybody);
}

/** Adds a member, or gives one exactly these roles; null: the member leaves. Bots hear only of themselves. */
export function setMember(state: State, guild: Guild, id: string, roles: readonly string[] | null): void {
  if (roles === null) return void guild.members.delete(id);
  const user = state.users.get(id) ?? rememberUser(state, { id, username: id });
  const joinedAt = guild.members.get(id)?.joinedAt ?? state.now();
  guild.members.set(id, { user, roles: [...roles], joinedAt });
  if (user.bot) {
    const update = { ...memberJson(guild, user), guild_id: guild.id };
    state.dispatch('GUILD_MEMBER_UPDATE', update, { guildId: guild.id, intent: 0 });
  }
}
