import { noProject } from '../../bot/channels/roles/role-obstacle.ts';
import { inviteLink } from '../../bot/invite.ts';
import type { CommandsState } from '../../bot/deploy.ts';
import { type DiscordFacts, inspectDiscord, inspectionProblem } from '../../bot/inspection.ts';
import { projectOfGuild } from '../../config/config-index.ts';
import type { Config, DiscordConfig } from '../../config/schema.ts';
import { count } from '../output.ts';
import { configuredChannels } from './bot-checks.ts';
import { checkChannel, placedChannels } from './channel-checks.ts';
import { about, type Finding, type Findings } from './finding.ts';
import type { Installation } from './installation.ts';

const atDiscord = about('DISCORD_TOKEN', 'Discord');

/**
 * Checks the token, the guilds, the commands and every channel that the bot posts to. By REST only: each
 * connection counts against a daily limit.
 */
export async function checkDiscord(
  { config, environment, read, holder }: Installation,
  discord: DiscordConfig,
  token: string,
): Promise<Findings> {
  const placed = await read(async (db) => await placedChannels(db), []);
  const channels = [...configuredChannels(discord), ...placed];
  const named = [...new Set([...discord.guildIds, ...discord.guilds.map(({ id }) => id)])];
  let facts: DiscordFacts;
  try {
    facts = await inspectDiscord({
      token,
      apiUrl: environment.discordApiUrl ?? undefined,
      guildIds: discord.guildIds,
      homeGuildIds: named,
      channelIds: channels.map(({ channelId }) => channelId),
      roleIds: config === null ? [] : discord.roles.map(({ roleId }) => roleId),
    });
  } catch (error) {
    return unreachable(error);
  }
  const invite = inviteLink(facts.applicationId, discord.roles.length > 0);
  // Whether a service elsewhere runs is not asked for.
  const isRunning = config === null || holder !== null;
  return [
    atDiscord.good(
      `knows the bot as ${facts.name}, in ${count(facts.guilds.size, 'Discord server')}; no privileged intent is needed`,
    ),
    checkGuilds(named, facts, invite),
    ...Array.from(facts.commands, ([guildId, state]) => checkCommands(guildId, state, isRunning, invite)),
    ...channels.flatMap((channel) =>
      checkChannel(
        channel,
        facts.channels.get(channel.channelId) ?? { state: 'unknown' },
        facts.homeGuilds,
        config,
      ),
    ),
    config === null ? [] : checkRoles(config, discord, facts),
  ].flat();
}

function unreachable(error: unknown): Finding {
  const problem = inspectionProblem(error);
  if (problem === 'refused')
    return atDiscord.wrong(
      'does not know the token: it was reset, or copied incompletely',
      `in the Discord developer portal, press Bot > Reset Token, and put DISCORD_TOKEN=<that token> into .env, unless the environment has it`,
    );
  if (problem === 'limited')
    return atDiscord.warning('asks this machine to slow down (429)', 'run the check again in ten minutes');
  const { message, cause } = error as Error;
  const { code = message } = (cause ?? {}) as NodeJS.ErrnoException;
  return atDiscord.warning(
    `cannot be reached: ${code}`,
    'check the network of this machine, its firewall and DNS; https://discordstatus.com shows outages',
  );
}

function checkGuilds(named: readonly string[], { guilds }: DiscordFacts, invite: string): Findings {
  if (guilds.size === 0)
    return about('discord', 'Discord servers').wrong('the bot is in none', `add it with ${invite}`);
  return named
    .filter((id) => !guilds.has(id))
    .map((id) =>
      about('discord.guilds', `Discord server ${id}`).wrong(
        'the bot is not in it',
        `correct the id, or add it with ${invite}`,
      ),
    );
}

/** @param isRunning whether the service, which registers the commands, runs */
function checkCommands(
  guildId: string | null,
  state: CommandsState,
  isRunning: boolean,
  invite: string,
): Finding {
  const report = about('commands', guildId === null ? 'everywhere' : `in Discord server ${guildId}`);
  switch (state) {
    case 'registered':
      return report.good('registered');
    case 'failed':
      return report.warning(
        'Discord does not say whether they are registered',
        'run the check again; https://discordstatus.com shows outages',
      );
    case 'refused':
      return report.wrong(
        'Discord refuses them: the bot was added without the scope for commands',
        `add it again with ${invite}`,
      );
    default:
      return isRunning
        ? report.warning(
            'not all are registered',
            'run: outpost deploy-commands; the log of the running Outpost says why it could not',
          )
        : report.good('not all are registered; the first start registers them');
  }
}

function checkRoles(
  config: Config,
  { roles }: Pick<DiscordConfig, 'roles'>,
  facts: Pick<DiscordFacts, 'roles'>,
): Finding[] {
  return roles.map(({ roleId }, index) => {
    const key = `discord.roles[${index}]`;
    const role = facts.roles.get(roleId);
    if (role === undefined)
      return about(key, `role ${roleId}`).wrong(
        'none of your Discord servers that the bot is in has such a role',
        'copy the id of the role anew, or add its Discord server to discord.guilds',
      );
    const report = about(key, role.label);
    const { obstacle } = role;
    if (obstacle !== null) return report.wrong(obstacle.found, obstacle.next);
    if (projectOfGuild(config, role.guildId) !== undefined)
      return report.good('the bot may give and take it');
    return report.wrong(noProject, 'set project: of the Discord server in discord.guilds');
  });
}
