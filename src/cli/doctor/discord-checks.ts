import { inviteLink } from '../../bot/invite.ts';
import type { CommandsState } from '../../bot/deploy.ts';
import { type DiscordFacts, inspectDiscord, inspectionProblem } from '../../bot/inspection.ts';
import type { StoredPlacement } from '../../bot/channels/placement-store.ts';
import type { Config, DiscordConfig } from '../../config/schema.ts';
import type { Finding } from '../check-config/finding.ts';
import { count } from '../output.ts';
import { checkChannel } from './channel-checks.ts';
import { placedChannels } from './placed-channels.ts';
import { wantedChannels } from '../check-config/wanted-channels.ts';

export interface DiscordCheck {
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

/** Checks the token, the clock, the guilds, the commands and every channel that the bot posts to, without connecting. */
export async function checkDiscord(check: DiscordCheck): Promise<Finding[]> {
  const { token, apiUrl, discord, placements, config, now } = check;
  const placed = placedChannels(placements.slice(0, mostPlaced), config !== null);
  const channels = [...wantedChannels(discord, config !== null), ...placed];
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
    {
      key: 'DISCORD_TOKEN',
      tried: 'Discord',
      status: 'good',
      found: `knows the bot as ${facts.name}, in ${count(joined.length, 'Discord server')}; no privileged intent is needed`,
    },
    ...checkClock(facts.clockAheadMs),
    ...checkSessions(facts.sessionStarts),
    ...checkGuilds(named, facts),
    ...Array.from(facts.commands, ([guildId, state]) => checkCommands(guildId, state, facts, check)),
    ...channels.flatMap((channel) =>
      checkChannel(channel, facts.channels.get(channel.channelId) ?? { state: 'unknown' }, homes, config),
    ),
    ...(placements.length > mostPlaced ? [unchecked(placements.length - mostPlaced)] : []),
  ];
}

/** Each is a request or two, and Discord allows 50 a second. */
const mostPlaced = 200;

function unchecked(others: number): Finding {
  return {
    key: 'placed posts and alerts',
    tried: `${others} more`,
    status: 'warning',
    found: `were not checked: the doctor looks at ${mostPlaced} of them`,
    next: 'use /outpost doctor in each Discord server',
  };
}

function unreachable(problem: 'refused' | 'limited' | null, error: unknown): Finding {
  const about = { key: 'DISCORD_TOKEN', tried: 'Discord' };
  if (problem === 'refused') {
    return {
      ...about,
      status: 'wrong',
      found: 'does not know the token: it was reset, or copied incompletely',
      next: 'in the Discord developer portal, press Bot > Reset Token, and put DISCORD_TOKEN=<that token> into .env',
    };
  }
  if (problem === 'limited') {
    const found = 'asks this machine to slow down (429)';
    return { ...about, status: 'warning', found, next: 'run the doctor again in ten minutes' };
  }
  const { message, cause } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return {
    ...about,
    status: 'warning',
    found: `cannot be reached: ${code ?? message}`,
    next: 'check the network of this machine, its firewall and DNS; https://discordstatus.com shows outages',
  };
}

/** Discord's Date header has whole seconds, and the answer takes a moment. */
const toleratedMs = 5_000;

function checkClock(aheadMs: number | null): Finding[] {
  if (aheadMs === null) return [];
  const about = { key: 'clock', tried: 'this machine beside Discord' };
  if (Math.abs(aheadMs) <= toleratedMs) return [{ ...about, status: 'good', found: 'right' }];
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const amount = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return [
    {
      ...about,
      status: 'warning',
      found: `${amount} ${aheadMs > 0 ? 'ahead' : 'behind'}: times in posts, tokens and bans are off by that`,
      next: 'switch time synchronisation on (Linux: timedatectl set-ntp true; Windows: Settings > Time > Set automatically)',
    },
  ];
}

const fewStarts = 100;

function checkSessions({ remaining, total }: DiscordFacts['sessionStarts']): Finding[] {
  if (remaining >= fewStarts) return [];
  return [
    {
      key: 'DISCORD_TOKEN',
      tried: 'connections',
      status: 'warning',
      found: `only ${remaining} of ${total} connections are left today; beyond them Discord resets the token`,
      next: 'find out why the bot restarts so often (see its log), and stop it until then',
    },
  ];
}

function checkGuilds(named: readonly string[], { guilds, applicationId }: DiscordFacts): Finding[] {
  const invite = `add it with ${inviteLink(applicationId)}`;
  if (guilds.size === 0) {
    const about = { key: 'discord', tried: 'Discord servers' };
    return [{ ...about, status: 'wrong', found: 'the bot is in none', next: invite }];
  }
  return named
    .filter((id) => !guilds.has(id))
    .map((id) => ({
      key: 'discord.guilds',
      tried: `Discord server ${id}`,
      status: 'wrong',
      found: 'the bot is not in it',
      next: `correct the id, or ${invite}`,
    }));
}

function checkCommands(
  guildId: string | null,
  state: CommandsState,
  { applicationId }: DiscordFacts,
  { isRunning }: DiscordCheck,
): Finding {
  const about = {
    key: 'commands',
    tried: guildId === null ? 'everywhere' : `in Discord server ${guildId}`,
  };
  switch (state) {
    case 'registered':
      return { ...about, status: 'good', found: 'registered' };
    case 'failed':
      return {
        ...about,
        status: 'warning',
        found: 'Discord does not say whether they are registered',
        next: 'run the doctor again; https://discordstatus.com shows outages',
      };
    case 'refused':
      return {
        ...about,
        status: 'wrong',
        found: 'Discord refuses them: the bot was added without the scope for commands',
        next: `add it again with ${inviteLink(applicationId)}`,
      };
    default: {
      const found =
        state === 'missing' ? 'none are registered' : 'those that are registered are of another version';
      if (!isRunning) return { ...about, status: 'good', found: `${found}; the next start registers them` };
      return {
        ...about,
        status: 'warning',
        found,
        next: 'run: npx outpost deploy-commands; the log of the running Outpost says why it could not',
      };
    }
  }
}
