import { inviteLink } from '../../../bot/invite.ts';
import type { CommandsState } from '../../../bot/deploy.ts';
import { type DiscordFacts, inspectDiscord, inspectionProblem } from '../../../bot/inspection.ts';
import type { StoredPlacement } from '../../../bot/channels/placement-store.ts';
import { originOf } from '../../../config/load.ts';
import type { Config, DiscordConfig } from '../../../config/schema.ts';
import { about, type Finding } from '../finding.ts';
import { count } from '../../output.ts';
import { checkChannel } from './channel-checks.ts';
import { checkRoles } from './role-checks.ts';
import { placedChannels } from './placed-channels.ts';
import { wantedChannels } from './wanted-channels.ts';

interface DiscordCheck {
  token: string;
  /** Null: Discord's own. */
  apiUrl: string | null;
  discord: DiscordConfig;
  placements: readonly StoredPlacement[];
  /** Null: the bot reads a service elsewhere. */
  config: Config | null;
  /** Whether the service, which registers the commands, runs. */
  isRunning: boolean;
  now: () => number;
}

const atDiscord = about('DISCORD_TOKEN', 'Discord');

/** Checks the token, the clock, the guilds, the commands and every channel that the bot posts to, without connecting. */
export async function checkDiscord(check: DiscordCheck): Promise<Finding[]> {
  const { token, apiUrl, discord, placements, config, now } = check;
  const placed = placedChannels(placements.slice(0, mostPlaced), config !== null);
  const channels = [...wantedChannels(discord, config !== null), ...placed];
  const managesRoles = discord.roles.length > 0;
  const named = [...new Set([...discord.guildIds, ...discord.guilds.map(({ id }) => id)])];
  let facts: DiscordFacts;
  try {
    facts = await inspectDiscord({
      token,
      apiUrl: apiUrl ?? undefined,
      guildIds: discord.guildIds,
      channelIds: channels.map(({ channelId }) => channelId),
      now,
    });
  } catch (error) {
    return [unreachable(inspectionProblem(error), error)];
  }
  const joined = [...facts.guilds.keys()];
  const homes = new Set(named.length > 0 || joined.length !== 1 ? named : joined);
  return [
    atDiscord.good(
      `knows the bot as ${facts.name}, in ${count(joined.length, 'Discord server')}; no privileged intent is needed`,
    ),
    ...checkClock(facts.clockAheadMs),
    ...checkSessions(facts.sessionStarts),
    ...checkGuilds(named, facts, managesRoles),
    ...Array.from(facts.commands, ([guildId, state]) => checkCommands(guildId, state, facts, check)),
    ...channels.flatMap((channel) =>
      checkChannel(channel, facts.channels.get(channel.channelId) ?? { state: 'unknown' }, homes, config),
    ),
    ...(config === null
      ? []
      : await checkRoles(config, discord, homes, { token, apiUrl: apiUrl ?? undefined })),
    ...(placements.length > mostPlaced ? [unchecked(placements.length - mostPlaced)] : []),
  ];
}

/** Each is a request or two, and Discord allows 50 a second. */
const mostPlaced = 200;

const unchecked = (others: number): Finding =>
  about('placed posts and alerts', `${others} more`).warning(
    `were not checked: the doctor looks at ${mostPlaced} of them`,
    'use /outpost doctor in each Discord server',
  );

function unreachable(problem: 'refused' | 'limited' | null, error: unknown): Finding {
  if (problem === 'refused') {
    return atDiscord.wrong(
      'does not know the token: it was reset, or copied incompletely',
      `in the Discord developer portal, press Bot > Reset Token, and put DISCORD_TOKEN=<that token> into ${originOf('DISCORD_TOKEN')}`,
    );
  }
  if (problem === 'limited') {
    return atDiscord.warning('asks this machine to slow down (429)', 'run the doctor again in ten minutes');
  }
  const { message, cause } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return atDiscord.warning(
    `cannot be reached: ${code ?? message}`,
    'check the network of this machine, its firewall and DNS; https://discordstatus.com shows outages',
  );
}

/** Discord's Date header has whole seconds, and the answer takes a moment. */
const toleratedMs = 5_000;

function checkClock(aheadMs: number | null): Finding[] {
  if (aheadMs === null) return [];
  const clock = about('clock', 'this machine beside Discord');
  if (Math.abs(aheadMs) <= toleratedMs) return [clock.good('right')];
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const amount = seconds < 120 ? count(seconds, 'second') : count(Math.round(seconds / 60), 'minute');
  return [
    clock.warning(
      `${amount} ${aheadMs > 0 ? 'ahead' : 'behind'}: times in posts, tokens and bans are off by that`,
      'switch time synchronisation on (Linux: timedatectl set-ntp true; Windows: Settings > Time > Set automatically)',
    ),
  ];
}

const fewStarts = 100;

function checkSessions({ remaining, total }: DiscordFacts['sessionStarts']): Finding[] {
  if (remaining >= fewStarts) return [];
  return [
    about('DISCORD_TOKEN', 'connections').warning(
      `connections left today: ${remaining} of ${total}; beyond them Discord resets the token`,
      'find out why the bot restarts so often (see its log), and stop it until then',
    ),
  ];
}

function checkGuilds(
  named: readonly string[],
  { guilds, applicationId }: DiscordFacts,
  managesRoles: boolean,
): Finding[] {
  const invite = `add it with ${inviteLink(applicationId, managesRoles)}`;
  if (guilds.size === 0) return [about('discord', 'Discord servers').wrong('the bot is in none', invite)];
  return named
    .filter((id) => !guilds.has(id))
    .map((id) =>
      about('discord.guilds', `Discord server ${id}`).wrong(
        'the bot is not in it',
        `correct the id, or ${invite}`,
      ),
    );
}

function checkCommands(
  guildId: string | null,
  state: CommandsState,
  { applicationId }: DiscordFacts,
  { isRunning, discord }: DiscordCheck,
): Finding {
  const commands = about('commands', guildId === null ? 'everywhere' : `in Discord server ${guildId}`);
  switch (state) {
    case 'registered':
      return commands.good('registered');
    case 'failed':
      return commands.warning(
        'Discord does not say whether they are registered',
        'run the doctor again; https://discordstatus.com shows outages',
      );
    case 'refused':
      return commands.wrong(
        'Discord refuses them: the bot was added without the scope for commands',
        `add it again with ${inviteLink(applicationId, discord.roles.length > 0)}`,
      );
    default:
      if (!isRunning) return commands.good('not all are registered; the first start registers them');
      return commands.warning(
        'not all are registered',
        'run: outpost deploy-commands; the log of the running Outpost says why it could not',
      );
  }
}
