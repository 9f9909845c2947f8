import { lacks, type MessagePermission } from '../../bot/channels/channel-permissions.ts';
import type { ChannelFacts } from '../../bot/inspection.ts';
import { projectOfGuild, serverOf } from '../../config/config-index.ts';
import type { Config } from '../../config/schema.ts';
import { about, type Finding, type Report } from './finding.ts';
import type { WantedChannel } from './wanted-channels.ts';

type Found = Extract<ChannelFacts, { state: 'found' }>;

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
  if (facts.state !== 'found') return [unseen(facts, isPlaced, about(key, `channel ${channelId}`))];
  const report = about(key, `#${facts.name} (${channelId})`);
  if (facts.kind === 'other') return [report('channel.noText')];
  const { guildId: guild, permissions } = facts;
  const findings: Finding[] = [];
  const send = facts.kind === 'thread' ? 'Send Messages in Threads' : 'Send Messages';
  const needed: MessagePermission[] = ['View Channel', send, 'Embed Links'];
  const missing = needed.filter((name) => lacks(permissions, name));
  const lacksFiles = wanted.needsFiles && lacks(permissions, 'Attach Files');
  if (missing.length > 0) {
    const rights = [...missing, ...(lacksFiles ? ['Attach Files'] : [])];
    const them = rights.length === 1 ? 'it' : 'them';
    findings.push(report('channel.lacks', { rights: rights.join(', '), them }));
  } else if (lacksFiles) findings.push(report('channel.lacksFiles'));
  if (facts.isLocked && lacks(permissions, 'Manage Threads')) findings.push(report('channel.locked'));
  // Without any home guild, what the config places is posted in any guild.
  const isAllowed = homeGuilds.has(guild) || (!isPlaced && homeGuilds.size === 0);
  if (!isAllowed) findings.push(report('channel.notHome', { guild }));
  if (wanted.isForModerators && facts.isForAll) findings.push(report('channel.forAll'));
  if (config !== null) findings.push(...checkProject(config, wanted.servers, guild, report));
  findings.push(...checkMentions(wanted, facts, report));
  return findings.length > 0 ? findings : [report('channel.good')];
}

function unseen(facts: Exclude<ChannelFacts, Found>, isPlaced: boolean, report: Report): Finding {
  switch (facts.state) {
    case 'unknown':
      return report(isPlaced ? 'channel.gone' : 'channel.unknown');
    case 'noAccess':
      return report('channel.hidden');
    case 'failed':
      return report('channel.unchecked', { message: facts.message });
  }
}

/** Whether the servers of a post belong to the project that its Discord server shows. */
function checkProject(config: Config, servers: readonly string[], guild: string, report: Report): Finding[] {
  const shown = projectOfGuild(config, guild)?.slug;
  for (const server of servers) {
    const project = serverOf(config, server)?.project.slug;
    if (project === undefined || project === shown) continue;
    const names =
      shown === undefined
        ? { shown: 'no project', own: 'its project' }
        : { shown: `the project ${shown}`, own: shown };
    return [report('channel.otherProject', { server, project, guild, ...names })];
  }
  return [];
}

function checkMentions(
  { roleIds }: WantedChannel,
  { roles, mentionable, permissions }: Found,
  report: Report,
): Finding[] {
  return [...new Set(roleIds)].flatMap((role) => {
    if (!roles.has(role)) return [report('channel.noRole', { role })];
    if (mentionable.has(role) || !lacks(permissions, 'Mention Everyone')) return [];
    return [report('channel.muteRole', { role })];
  });
}
