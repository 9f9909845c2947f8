import { type GuildRoles, labelOf, noProject, roleObstacle } from '../../bot/channels/roles/role-obstacle.ts';
import { projectOfGuild } from '../../config/config-index.ts';
import type { Config, DiscordConfig } from '../../config/schema.ts';
import { about, type Finding } from './finding.ts';

/** Whether the bot may give and take each role of the config. @param guilds the home guilds that the bot is in */
export function checkRoles(
  config: Config,
  { roles }: Pick<DiscordConfig, 'roles'>,
  guilds: readonly GuildRoles[],
): Finding[] {
  return roles.map(({ roleId }, index) => {
    const key = `discord.roles[${index}]`;
    const guild = guilds.find((one) => one.roles.some(({ id }) => id === roleId));
    const role = guild?.roles.find(({ id }) => id === roleId);
    if (guild === undefined || role === undefined)
      return about(key, `role ${roleId}`).wrong(
        'none of your Discord servers that the bot is in has such a role',
        'copy the id of the role anew, or add its Discord server to discord.guilds',
      );
    const report = about(key, labelOf(role));
    const obstacle = roleObstacle(guild, roleId);
    if (obstacle !== null) return report.wrong(obstacle.found, obstacle.next);
    if (projectOfGuild(config, guild.guildId) !== undefined)
      return report.good('the bot may give and take it');
    return report.wrong(noProject, 'set project: of the Discord server in discord.guilds');
  });
}
