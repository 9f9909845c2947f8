import { inviteLink } from '../../bot/invite.ts';
import type { CommandsState } from '../../bot/deploy.ts';
import { type DiscordFacts, inspectDiscord, inspectionProblem } from '../../bot/inspection.ts';
import { originOf } from '../../config/load.ts';
import type { DiscordConfig } from '../../config/schema.ts';
import { count } from '../output.ts';
import { checkChannel } from './channel-checks.ts';
import { about, type Finding } from './finding.ts';
import type { Installation } from './installation.ts';
import { checkRoles } from './role-checks.ts';
import { configuredChannels, placedChannels } from './wanted-channels.ts';

/** Each is a request or two, and Discord allows 50 a second. */
const mostPlaced = 200;

const atDiscord = about('DISCORD_TOKEN', 'Discord');

/**
 * Checks the token, the guilds, the commands and every channel that the bot posts to. By REST only: each
 * connection counts against a daily limit.
 */
export async function checkDiscord(
  { config, environment, read, holder }: Installation,
  discord: DiscordConfig,
  token: string,
): Promise<Finding[]> {
  const apiUrl = environment.discordApiUrl ?? undefined;
  const hasPictures = config !== null;
  const placed = await read(async (db) => await placedChannels(db, hasPictures), []);
  const channels = [...configuredChannels(discord, hasPictures), ...placed.slice(0, mostPlaced)];
  const channelIds = channels.map(({ channelId }) => channelId);
  const named = [...new Set([...discord.guildIds, ...discord.guilds.map(({ id }) => id)])];
  let facts: DiscordFacts;
  try {
    const { guildIds } = discord;
    const givesRoles = config !== null && discord.roles.length > 0;
    const wanted = { guildIds, homeGuildIds: named, channelIds, givesRoles };
    facts = await inspectDiscord({ token, apiUrl, ...wanted });
  } catch (error) {
    return [unreachable(error)];
  }
  const joined = [...facts.guilds.keys()];
  const invite = inviteLink(facts.applicationId, discord.roles.length > 0);
  // Whether a service elsewhere runs is not asked for.
  const isRunning = config === null || (await holder()) !== null;
  return [
    atDiscord('token.known', { name: facts.name, guilds: count(joined.length, 'Discord server') }),
    ...checkSessions(facts.sessionStarts),
    ...checkGuilds(named, facts, invite),
    ...Array.from(facts.commands, ([guildId, state]) => checkCommands(guildId, state, isRunning, invite)),
    ...channels.flatMap((channel) =>
      checkChannel(
        channel,
        facts.channels.get(channel.channelId) ?? { state: 'unknown' },
        facts.homeGuilds,
        config,
      ),
    ),
    ...(config === null ? [] : checkRoles(config, discord, facts.guildRoles)),
    ...(placed.length > mostPlaced ? [unchecked(placed.length - mostPlaced)] : []),
  ];
}

const unchecked = (others: number): Finding =>
  about('placed posts and alerts', `${others} more`)('channel.tooMany', { most: mostPlaced });

function unreachable(error: unknown): Finding {
  const problem = inspectionProblem(error);
  if (problem === 'refused') return atDiscord('token.refused', { origin: originOf('DISCORD_TOKEN') });
  if (problem === 'limited') return atDiscord('discord.limited');
  const { message, cause } = error as Error;
  const { code = message } = (cause ?? {}) as NodeJS.ErrnoException;
  return atDiscord('discord.unreachable', { reason: code });
}

const fewStarts = 100;

function checkSessions({ remaining, total }: DiscordFacts['sessionStarts']): Finding[] {
  if (remaining >= fewStarts) return [];
  return [about('DISCORD_TOKEN', 'connections')('token.fewStarts', { remaining, total })];
}

function checkGuilds(named: readonly string[], { guilds }: DiscordFacts, invite: string): Finding[] {
  if (guilds.size === 0) return [about('discord', 'Discord servers')('guild.none', { invite })];
  return named
    .filter((id) => !guilds.has(id))
    .map((id) => about('discord.guilds', `Discord server ${id}`)('guild.notIn', { invite }));
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
      return report('commands.registered');
    case 'failed':
      return report('commands.unknown');
    case 'refused':
      return report('commands.refused', { invite });
    default:
      return report(isRunning ? 'commands.missing' : 'commands.beforeStart');
  }
}
