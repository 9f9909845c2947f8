import { type InspectedRoles, inspectRoles } from '../../bot/channels/roles/inspect-roles.ts';
import { labelOf, noProject, roleObstacle } from '../../bot/channels/roles/role-obstacle.ts';
import { projectOfGuild } from '../../config/config-index.ts';
import type { Config, DiscordConfig } from '../../config/schema.ts';
import { about, type Finding } from './finding.ts';

/** Whether the bot may give and take each role of the config. */
export async function checkRoles(
  config: Config,
  { roles }: Pick<DiscordConfig, 'roles'>,
  homeGuilds: Iterable<string>,
  access: { token: string; apiUrl?: string | undefined },
): Promise<Finding[]> {
  if (roles.length === 0) return [];
  const guilds = await inspectRoles(access, [...homeGuilds]);
  return roles.map(({ roleId }, index) => checkRole(config, `discord.roles[${index}]`, roleId, guilds));
}

function checkRole(config: Config, key: string, roleId: string, guilds: readonly InspectedRoles[]): Finding {
  const guild = guilds.find(({ roles }) => roles.some(({ id }) => id === roleId));
  const role = guild?.roles.find(({ id }) => id === roleId);
  if (guild === undefined || role === undefined) return about(key, `role ${roleId}`)('role.unknown');
  const report = about(key, labelOf(role));
  const obstacle = roleObstacle(guild, roleId);
  if (obstacle !== null) return report('role.obstacle', { found: obstacle.found, next: obstacle.next });
  if (projectOfGuild(config, guild.guildId) !== undefined) return report('role.good');
  return report('role.obstacle', {
    found: noProject,
    next: 'set project: of the Discord server in discord.guilds',
  });
}
