import { lacks, type MessagePermission } from '../../bot/channels/channel-permissions.ts';
import { placementsKey, type StoredPlacement } from '../../bot/channels/job-entries.ts';
import type { ChannelFacts } from '../../bot/inspection.ts';
import { projectOfGuild, serverOf } from '../../config/config-index.ts';
import type { Config } from '../../config/schema.ts';
import { channelKinds, hasPicture, isForModerators, rolesOf } from '../../config/schema/channel-jobs.ts';
import type { ReadDatabase } from '../../server/store/engine/database.ts';
import { readBotValue } from '../../server/store/engine/small-values.ts';
import type { WantedChannel } from './bot-checks.ts';
import { about, type Finding, type Findings, type Report } from './finding.ts';

export async function placedChannels(db: ReadDatabase['db']): Promise<WantedChannel[]> {
  const stored = (await readBotValue(db, placementsKey)) ?? [];
  return (stored as readonly StoredPlacement[]).map((entry) => ({
    ...entry,
    key: `placed ${channelKinds[entry.content.kind].name}`,
    isPlaced: true,
  }));
}

type Found = Extract<ChannelFacts, { state: 'found' }>;

/**
 * Whether the bot can post to a channel, with everything that the post needs.
 * @param config null: a bot on a remote service, which has one project and draws no pictures
 */
export function checkChannel(
  { key, channelId, content, isPlaced }: WantedChannel,
  facts: ChannelFacts,
  homeGuilds: ReadonlySet<string>,
  config: Config | null,
): Finding[] {
  if (facts.state !== 'found') return [unseen(facts, isPlaced, about(key, `channel ${channelId}`))];
  const report = about(key, `#${facts.name} (${channelId})`);
  if (facts.kind === 'other')
    return [
      report.wrong(
        'is a category or forum, to which no message can be sent',
        'name a text channel or a thread',
      ),
    ];
  const { guildId: guild } = facts;
  const rules = content.kind === 'alerts' ? content : {};
  // Without any home guild, what the config places is posted in any guild.
  const isAllowed = homeGuilds.has(guild) || (!isPlaced && homeGuilds.size === 0);
  const findings = [
    checkPermissions(facts, config !== null && hasPicture(content), report),
    isAllowed
      ? []
      : report.wrong(
          'its Discord server is not one of yours, so nothing is posted',
          `if it is yours, add it to discord.guilds: - { id: "${guild}" }; else take the post out`,
        ),
    isForModerators(rules) && facts.isForAll
      ? report.warning(
          'everyone can see it, and it gets what only moderators should know of players',
          'take View Channel from @everyone in the settings of the channel > Permissions, or name a channel of your moderators',
        )
      : [],
    config !== null && 'servers' in content ? checkProject(config, content.servers, guild, report) : [],
    ...rolesOf(rules).map((role) => checkMention(role, facts, report)),
  ].flat();
  return findings.length > 0 ? findings : [report.good('the bot may post there')];
}

function checkPermissions({ kind, permissions }: Found, needsFiles: boolean, report: Report): Findings {
  const send = kind === 'thread' ? 'Send Messages in Threads' : 'Send Messages';
  const needed: MessagePermission[] = ['View Channel', send, 'Embed Links'];
  const missing = needed.filter((name) => lacks(permissions, name));
  const missingFiles = needsFiles && lacks(permissions, 'Attach Files') ? ['Attach Files'] : [];
  const rights = [...missing, ...missingFiles];
  if (rights.length === 0) return [];
  const them = rights.length === 1 ? 'it' : 'them';
  const next = `grant the bot ${them} in the settings of the channel > Permissions`;
  return missing.length > 0
    ? report.wrong(`the bot lacks ${rights.join(', ')}`, next)
    : report.warning('the bot lacks Attach Files, so there is no picture', next);
}

function unseen(facts: Exclude<ChannelFacts, Found>, isPlaced: boolean, report: Report): Finding {
  switch (facts.state) {
    case 'unknown':
      return report.wrong(
        'there is no such channel, or it was deleted',
        isPlaced
          ? 'remove it with /outpost posts in that Discord server'
          : 'copy the id anew: in Discord, switch User Settings > Advanced > Developer Mode on, then right-click the channel > Copy Channel ID',
      );
    case 'noAccess':
      return report.wrong(
        'the bot cannot see the channel, or is not in its Discord server',
        'add the bot to that server, and grant it View Channel in the settings of the channel',
      );
    case 'failed':
      return report.warning(
        `could not be checked: ${facts.message}`,
        'run the check again; https://discordstatus.com shows outages',
      );
  }
}

/** Whether the servers of a post belong to the project that its Discord server shows. */
function checkProject(config: Config, servers: readonly string[], guild: string, report: Report): Findings {
  const shown = projectOfGuild(config, guild)?.slug;
  for (const server of servers) {
    const project = serverOf(config, server)?.project.slug;
    if (project === undefined || project === shown) continue;
    const shows = shown === undefined ? 'no project' : `the project ${shown}`;
    return report.wrong(
      `server ${server} belongs to the project ${project}, but Discord server ${guild} shows ${shows}, so nothing is posted`,
      `name servers of ${shown ?? 'its project'}, a channel of another Discord server, or the project that this one is to show: guilds: [{ id: "${guild}", project: ${project} }]`,
    );
  }
  return [];
}

function checkMention(role: string, { roles, mentionable, permissions }: Found, report: Report): Findings {
  if (!roles.has(role))
    return report.wrong(`its Discord server has no role ${role}`, 'copy the id of the role anew');
  if (mentionable.has(role) || !lacks(permissions, 'Mention Everyone')) return [];
  return report.warning(
    `the bot may not mention role ${role}, so nobody is notified`,
    'switch "Allow anyone to @mention this role" on in the settings of the role, or grant the bot Mention Everyone',
  );
}
