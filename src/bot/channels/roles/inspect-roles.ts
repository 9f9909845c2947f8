import {
  Routes,
  type APIGuild,
  type APIGuildMember,
  type APIUser,
  type RESTGetAPICurrentUserGuildsResult,
} from 'discord.js';
import { clean } from '../../../embeds/text.ts';
import { httpStatus } from '../../discord-error.ts';
import { createRest } from '../../rest.ts';
import type { GuildRoles } from './role-obstacle.ts';

/** Roles of a guild as REST shows them. */
export interface InspectedRoles extends GuildRoles {
  guildName: string;
}

/** A person waits for the result. */
const timeoutMs = 8_000;
/** Each takes two requests. */
const mostGuilds = 100;

/**
 * Reads the roles of guilds without connecting as the bot; guilds that it is not in are left out.
 * @param named by the config; empty: the guild that the bot is in, if there is only one
 * @throws what REST throws
 */
export async function inspectRoles(
  access: { token: string; apiUrl?: string | undefined },
  named: readonly string[],
): Promise<InspectedRoles[]> {
  const rest = createRest({ ...access, timeoutMs });
  const { id: botId } = (await rest.get(Routes.user())) as APIUser;
  const guildIds = named.length > 0 ? named : await onlyGuild(rest);
  const found: InspectedRoles[] = [];
  for (const guildId of guildIds.slice(0, mostGuilds)) {
    try {
      const guild = (await rest.get(Routes.guild(guildId))) as APIGuild;
      const member = (await rest.get(Routes.guildMember(guildId, botId))) as APIGuildMember;
      const roles = guild.roles.map((role) => ({
        ...role,
        name: clean(role.name),
        permissions: BigInt(role.permissions),
      }));
      found.push({ guildId, guildName: clean(guild.name), roles, own: member.roles });
    } catch (error) {
      const status = httpStatus(error);
      if (status !== 403 && status !== 404) throw error;
    }
  }
  return found;
}

async function onlyGuild(rest: ReturnType<typeof createRest>): Promise<string[]> {
  const joined = (await rest.get(Routes.userGuilds())) as RESTGetAPICurrentUserGuildsResult;
  return joined.length === 1 ? joined.map(({ id }) => id) : [];
}
