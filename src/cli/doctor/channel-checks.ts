import { lacks, type MessagePermission } from '../../bot/channels/channel-permissions.ts';
import type { ChannelFacts } from '../../bot/inspection.ts';
import type { Config } from '../../config/schema.ts';
import type { Finding } from '../check-config/finding.ts';
import { foreignServer } from '../check-config/foreign-servers.ts';
import type { WantedChannel } from '../check-config/wanted-channels.ts';

/**
 * Whether the bot can post to a channel, with everything that the post needs.
 * @param config null: a bot on a remote service, which has one project
 */
export function checkChannel(
  wanted: WantedChannel,
  facts: ChannelFacts,
  homeGuilds: ReadonlySet<string>,
  config: Config | null,
): Finding[] {
  const { key, channelId, isPlaced } = wanted;
  const about = { key, tried: `channel ${channelId}` };
  if (facts.state === 'unknown') {
    return [
      {
        ...about,
        status: 'wrong',
        found: 'there is no such channel, or it was deleted',
        next: isPlaced
          ? 'remove it with /outpost posts in that Discord server'
          : 'copy the id anew: in Discord, switch User Settings > Advanced > Developer Mode on, then right-click the channel > Copy Channel ID',
      },
    ];
  }
  if (facts.state === 'noAccess') {
    return [
      {
        ...about,
        status: 'wrong',
        found: 'the bot cannot see the channel, or is not in its Discord server',
        next: 'add the bot to that server, and grant it View Channel in the settings of the channel',
      },
    ];
  }
  if (facts.state === 'failed') {
    const next = 'run the doctor again; https://discordstatus.com shows outages';
    return [{ ...about, status: 'warning', found: `could not be checked: ${facts.message}`, next }];
  }
  const named = { key, tried: `#${facts.name} (${channelId})` };
  if (facts.kind === 'other') {
    return [
      {
        ...named,
        status: 'wrong',
        found: 'is a category or forum, to which no message can be sent',
        next: 'name a text channel or a thread',
      },
    ];
  }
  const findings: Finding[] = [];
  const missing = missingPermissions(wanted, facts);
  if (missing.length > 0) {
    const needsMost = missing.some((name) => name !== 'Attach Files' && name !== 'Read Message History');
    findings.push({
      ...named,
      status: needsMost || wanted.needsHistory ? 'wrong' : 'warning',
      found: `the bot lacks ${missing.join(', ')}`,
      next: `grant the bot ${missing.length === 1 ? 'it' : 'them'} in the settings of the channel > Permissions`,
    });
  }
  if (facts.isLocked && lacks(facts.permissions, 'Manage Threads')) {
    findings.push({
      ...named,
      status: 'warning',
      found: 'the thread is locked',
      next: 'unlock it, or grant the bot Manage Threads',
    });
  }
  if (wanted.isHomeOnly && !homeGuilds.has(facts.guildId)) {
    findings.push({
      ...named,
      status: isPlaced ? 'warning' : 'wrong',
      found: 'its Discord server is not a home guild, so nothing is posted',
      next: `if it is yours, add it to discord.guilds: - { id: "${facts.guildId}" }`,
    });
  }
  const foreign = config === null ? null : foreignServer(config, wanted.servers, facts.guildId);
  if (foreign !== null) findings.push({ ...named, ...foreign });
  findings.push(...checkRoles(wanted, facts, named));
  return findings.length > 0 ? findings : [{ ...named, status: 'good', found: 'the bot may post there' }];
}

type Found = Extract<ChannelFacts, { state: 'found' }>;

function missingPermissions(
  { needsFiles, needsHistory }: WantedChannel,
  { kind, permissions }: Found,
): MessagePermission[] {
  const needed: MessagePermission[] = [
    'View Channel',
    kind === 'thread' ? 'Send Messages in Threads' : 'Send Messages',
    'Embed Links',
    ...(needsFiles ? (['Attach Files'] as const) : []),
    ...(needsHistory ? (['Read Message History'] as const) : []),
  ];
  return needed.filter((name) => lacks(permissions, name));
}

function checkRoles(
  { roleIds }: WantedChannel,
  { roles, mentionable, permissions }: Found,
  about: Pick<Finding, 'key' | 'tried'>,
): Finding[] {
  return [...new Set(roleIds)].flatMap((id): Finding[] => {
    if (!roles.has(id)) {
      const found = `its Discord server has no role ${id}`;
      return [{ ...about, status: 'wrong', found, next: 'copy the id of the role anew' }];
    }
    if (mentionable.has(id) || !lacks(permissions, 'Mention Everyone')) return [];
    return [
      {
        ...about,
        status: 'warning',
        found: `the bot may not mention role ${id}, so nobody is notified`,
        next: 'switch "Allow anyone to @mention this role" on in the settings of the role, or grant the bot Mention Everyone',
      },
    ];
  });
}
