import { lacks, type MessagePermission } from '../../../bot/channels/channel-permissions.ts';
import type { ChannelFacts } from '../../../bot/inspection.ts';
import type { Config } from '../../../config/schema.ts';
import { about, type About, type Finding } from '../finding.ts';
import { foreignServer } from './foreign-servers.ts';
import type { WantedChannel } from './wanted-channels.ts';

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
  if (facts.state !== 'found') {
    return [unseen(about(key, `channel ${channelId}`), facts, isPlaced)];
  }
  const channel = about(key, `#${facts.name} (${channelId})`);
  if (facts.kind === 'other') {
    return [
      channel.wrong(
        'is a category or forum, to which no message can be sent',
        'name a text channel or a thread',
      ),
    ];
  }
  const findings: Finding[] = [];
  const missing = missingPermissions(wanted, facts);
  if (missing.length > 0) {
    const needsMost = missing.some((name) => name !== 'Attach Files' && name !== 'Read Message History');
    findings.push(
      channel[needsMost || wanted.needsHistory ? 'wrong' : 'warning'](
        `the bot lacks ${missing.join(', ')}`,
        `grant the bot ${missing.length === 1 ? 'it' : 'them'} in the settings of the channel > Permissions`,
      ),
    );
  }
  if (facts.isLocked && lacks(facts.permissions, 'Manage Threads')) {
    findings.push(channel.warning('the thread is locked', 'unlock it, or grant the bot Manage Threads'));
  }
  if (wanted.isHomeOnly && !homeGuilds.has(facts.guildId)) {
    findings.push(
      channel[isPlaced ? 'warning' : 'wrong'](
        'its Discord server is not a home guild, so nothing is posted',
        `if it is yours, add it to discord.guilds: - { id: "${facts.guildId}" }`,
      ),
    );
  }
  if (wanted.isForModerators && facts.isForAll) {
    findings.push(
      channel.warning(
        'everyone can see it, and it gets what only moderators should know of players',
        'take View Channel from @everyone in the settings of the channel > Permissions, or name a channel of your moderators',
      ),
    );
  }
  const foreign = config === null ? null : foreignServer(config, wanted.servers, facts.guildId);
  if (foreign !== null) findings.push(channel.is(foreign));
  findings.push(...checkRoles(wanted, facts, channel));
  return findings.length > 0 ? findings : [channel.good('the bot may post there')];
}

type Found = Extract<ChannelFacts, { state: 'found' }>;

function unseen(channel: About, facts: Exclude<ChannelFacts, Found>, isPlaced: boolean): Finding {
  switch (facts.state) {
    case 'unknown':
      return channel.wrong(
        'there is no such channel, or it was deleted',
        isPlaced
          ? 'remove it with /outpost posts in that Discord server'
          : 'copy the id anew: in Discord, switch User Settings > Advanced > Developer Mode on, then right-click the channel > Copy Channel ID',
      );
    case 'noAccess':
      return channel.wrong(
        'the bot cannot see the channel, or is not in its Discord server',
        'add the bot to that server, and grant it View Channel in the settings of the channel',
      );
    case 'failed':
      return channel.warning(
        `could not be checked: ${facts.message}`,
        'run the doctor again; https://discordstatus.com shows outages',
      );
  }
}

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
  channel: About,
): Finding[] {
  return [...new Set(roleIds)].flatMap((id): Finding[] => {
    if (!roles.has(id))
      return [channel.wrong(`its Discord server has no role ${id}`, 'copy the id of the role anew')];
    if (mentionable.has(id) || !lacks(permissions, 'Mention Everyone')) return [];
    return [
      channel.warning(
        `the bot may not mention role ${id}, so nobody is notified`,
        'switch "Allow anyone to @mention this role" on in the settings of the role, or grant the bot Mention Everyone',
      ),
    ];
  });
}
