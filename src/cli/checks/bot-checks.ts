import { configuredEntries, type JobEntry } from '../../bot/channels/job-entries.ts';
import { tokenProblem } from '../../bot/token-form.ts';
import type { Config, DiscordConfig } from '../../config/schema.ts';
import { channelKinds, hasPlayerRules } from '../../config/schema/channel-jobs.ts';
import { about, type Finding, type Findings } from './finding.ts';

/** Whether the value of DISCORD_TOKEN can be a token at all. It is never quoted. */
export function checkTokenForm(token: string | null): Findings {
  const found = token === null ? null : tokenProblem(token);
  if (found === null) return [];
  const next = `in the Discord developer portal, open your application, press Bot > Reset Token, and put DISCORD_TOKEN=<that token> into .env, unless the environment has it`;
  return about('DISCORD_TOKEN', 'form').wrong(found, next);
}

/** A section without a token, or a token without a section. */
export function checkHalfBot(hasSection: boolean, hasToken: boolean): Findings {
  if (hasSection === hasToken) return [];
  return hasSection
    ? about('DISCORD_TOKEN', 'the bot').warning(
        'is not set, so the bot is off, although the config has a section discord',
        'put DISCORD_TOKEN=<the token of the bot> into .env, or remove the section',
      )
    : about('discord', 'the bot').warning(
        'DISCORD_TOKEN is set, but the config has no section discord, so the bot is off',
        'add the section discord: {} to the config, or remove the token',
      );
}

/** What the bot's section of the config says by itself. @param config null: the bot reads a service elsewhere */
export function checkBotConfig(discord: DiscordConfig, config: Config | null): Finding[] {
  const named = new Set([...discord.guildIds, ...discord.guilds.map(({ id }) => id)]).size;
  const homes = about('discord.guilds', 'your Discord servers');
  return [
    named > 0
      ? homes.good(`${named} named`)
      : homes.warning(
          'none is named: the bot works in your Discord server only while it is in no other one',
          'name it: guilds: [{ id: "…" }]. To keep others from adding the bot, open it in the Discord developer portal, set Installation > Install Link to None, then switch Bot > Public Bot off',
        ),
    ...(config === null
      ? checkRemoteBot(discord)
      : [...checkPositions(discord, config), ...checkNeedOfLogs(discord, config)]),
  ];
}

function checkPositions({ killFeeds }: DiscordConfig, { projects }: Config): Finding[] {
  return killFeeds.flatMap(({ channelId, servers, positions }, index) => {
    // All servers of a feed are of one project.
    const project = projects.find((one) => one.servers.some(({ id }) => id === servers[0]));
    if (!positions || project?.killPositions === true) return [];
    return about(`discord.killFeeds[${index}]`, `kill feed in channel ${channelId}`).warning(
      'is to show positions, but the project does not store them',
      'set killPositions of the project to true, or positions to false',
    );
  });
}

/** Whether what is posted has logs to come from. */
function checkNeedOfLogs(discord: DiscordConfig, { projects }: Config): Finding[] {
  const servers = projects.flatMap((project) => project.servers);
  const withLogs = new Set(servers.filter(({ logs }) => logs !== undefined).map(({ id }) => id));
  return configuredChannels(discord).flatMap(({ key, channelId, content }) => {
    const { name, needsLogs } = channelKinds[content.kind];
    const isAboutPlayers = content.kind === 'alerts' && hasPlayerRules(content);
    if (!('servers' in content) || !(needsLogs || isAboutPlayers)) return [];
    const report = about(key, `${isAboutPlayers ? 'alert' : name} in channel ${channelId}`);
    const lacks = isAboutPlayers ? 'it is not known who comes on' : 'there is nothing to post about it';
    return content.servers
      .filter((id) => !withLogs.has(id))
      .map((id) =>
        report.warning(`server ${id} has no logs, so ${lacks}`, `set logs of ${id}, or take it out`),
      );
  });
}

/** What the config wants of a bot that reads a service elsewhere, which has not all that an embedded one has. */
function checkRemoteBot(discord: DiscordConfig): Finding[] {
  const warning = (key: string, what: string, lacks: string): Finding =>
    about(`discord.${key}`, what).warning(
      `the bot reads a service elsewhere, which ${lacks}`,
      `set the ${what} up with the bot of that service`,
    );
  return [
    ...Object.values(channelKinds)
      .filter(({ list, needsLogs }) => needsLogs && discord[list].length > 0)
      .map(({ list, name }) => warning(list, `${name}s`, 'does not have what they need')),
    ...(discord.roles.length > 0 ? [warning('roles', 'roles', 'does not know who is linked')] : []),
    ...(discord.alerts.some(hasPlayerRules)
      ? [warning('alerts', 'alerts about players', 'does not say who comes on')]
      : []),
  ];
}

/** What the bot posts in a channel. */
export interface WantedChannel extends JobEntry {
  /** The key in the config, `discord.statusPosts[0]`; or what a member placed, `placed status post`. */
  key: string;
  /** By a member, not by the config. */
  isPlaced: boolean;
}

/** What the config has the bot post. */
export function configuredChannels(discord: DiscordConfig): WantedChannel[] {
  return configuredEntries(discord).map((entry, _, all) => {
    const { kind } = entry.content;
    const index = all.filter(({ content }) => content.kind === kind).indexOf(entry);
    return { ...entry, key: `discord.${channelKinds[kind].list}[${index}]`, isPlaced: false };
  });
}
