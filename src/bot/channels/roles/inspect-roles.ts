import { Routes, type APIGuild, type APIGuildMember, type APIUser } from 'discord.js';
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
 * @throws what REST throws
 */
export async function inspectRoles(
  access: { token: string; apiUrl?: string | undefined },
  guildIds: readonly string[],
): Promise<InspectedRoles[]> {
  const rest = createRest({ ...access, timeoutMs });
  const { id: botId } = (await rest.get(Routes.user())) as APIUser;
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
