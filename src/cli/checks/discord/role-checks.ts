import { type InspectedRoles, inspectRoles } from '../../../bot/channels/roles/inspect-roles.ts';
import { labelOf, noProject, roleObstacle } from '../../../bot/channels/roles/role-obstacle.ts';
import { projectOfGuild } from '../../../config/config-index.ts';
import type { Config, DiscordConfig } from '../../../config/schema.ts';
import { about, type Finding } from '../finding.ts';

/** Whether something is counted for each role that the bot is to give. */
export function checkRoleRules({ discord, projects }: Pick<Config, 'discord' | 'projects'>): Finding[] {
  const hasLogs = projects.some(({ servers }) => servers.some(({ logs }) => logs !== undefined));
  return (discord?.roles ?? []).flatMap(({ roleId, playTime, rank }, index) => {
    const period = (playTime ?? rank)?.period;
    if (hasLogs || period === undefined) return [];
    return about(`discord.roles[${index}]`, `role ${roleId}`).warning(
      `no server has logs, from which a ${period} is counted, so nobody gets it`,
      'set logs of a server, or leave period out',
    );
  });
}

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
  if (guild === undefined || role === undefined) {
    return about(key, `role ${roleId}`).wrong(
      'no home guild that the bot is in has such a role',
      'copy the id of the role anew, or add its Discord server to discord.guilds',
    );
  }
  const obstacle =
    roleObstacle(guild, roleId) ??
    (projectOfGuild(config, guild.guildId) === undefined
      ? { found: noProject, next: 'set project: of the Discord server in discord.guilds' }
      : null);
  const finding = about(key, labelOf(role));
  return obstacle === null
    ? finding.good('the bot may give and take it')
    : finding.wrong(obstacle.found, obstacle.next);
}
