import { tokenProblem } from '../../bot/token-form.ts';
import type { Config, DiscordConfig } from '../../config/schema.ts';
import { channelKinds, hasPlayerRules, type ChannelEntry } from '../../config/schema/channel-jobs.ts';
import { about, type Finding } from './finding.ts';

/** Whether the value of DISCORD_TOKEN can be a token at all. It is never quoted. */
export function checkTokenForm(token: string | null): Finding[] {
  const found = token === null ? null : tokenProblem(token);
  if (found === null) return [];
  const next = `in the Discord developer portal, open your application, press Bot > Reset Token, and put DISCORD_TOKEN=<that token> into .env, unless the environment has it`;
  return [about('DISCORD_TOKEN', 'form').wrong(found, next)];
}

/** A section without a token, or a token without a section. */
export function checkHalfBot(hasSection: boolean, hasToken: boolean): Finding[] {
  if (hasSection === hasToken) return [];
  return [
    hasSection
      ? about('DISCORD_TOKEN', 'the bot').warning(
          'is not set, so the bot is off, although the config has a section discord',
          'put DISCORD_TOKEN=<the token of the bot> into .env, or remove the section',
        )
      : about('discord', 'the bot').warning(
          'DISCORD_TOKEN is set, but the config has no section discord, so the bot is off',
          'add the section discord: {} to the config, or remove the token',
        ),
  ];
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

/** Whether the positions that kill feeds show are stored. */
function checkPositions({ killFeeds }: DiscordConfig, { projects }: Config): Finding[] {
  return killFeeds.flatMap(({ channelId, servers, positions }, index) => {
    // All servers of a feed are of one project.
    const project = projects.find((one) => one.servers.some(({ id }) => id === servers[0]));
    if (!positions || project?.killPositions === true) return [];
    return [
      about(`discord.killFeeds[${index}]`, `kill feed in channel ${channelId}`).warning(
        'is to show positions, but the project does not store them',
        'set killPositions of the project to true, or positions to false',
      ),
    ];
  });
}

const kindsOfLogs = Object.values(channelKinds).filter(({ needsLogs }) => needsLogs);

/** Whether what is posted has logs to come from. */
function checkNeedOfLogs(discord: DiscordConfig, { projects }: Config): Finding[] {
  const servers = projects.flatMap((project) => project.servers);
  const withLogs = new Set(servers.filter(({ logs }) => logs !== undefined).map(({ id }) => id));
  const missing = (key: string, tried: string, ids: readonly string[], lacks: string): Finding[] =>
    ids
      .filter((id) => !withLogs.has(id))
      .map((id) =>
        about(key, tried).warning(
          `server ${id} has no logs, so ${lacks}`,
          `set logs of ${id}, or take it out`,
        ),
      );
  const ofKinds = kindsOfLogs.flatMap(({ list, name }) =>
    discord[list].flatMap(({ channelId, servers: ids = [] }: ChannelEntry, index) => {
      const tried = `${name} in channel ${channelId}`;
      return missing(`discord.${list}[${index}]`, tried, ids, 'there is nothing to post about it');
    }),
  );
  const ofAlerts = discord.alerts.flatMap((alert, index) => {
    const key = `discord.alerts[${index}]`;
    const ids = hasPlayerRules(alert) ? alert.servers : [];
    return missing(key, `alert in channel ${alert.channelId}`, ids, 'it is not known who comes on');
  });
  return [...ofKinds, ...ofAlerts];
}

/** What the config wants of a bot that reads a service elsewhere, which has not all that an embedded one has. */
function checkRemoteBot(discord: DiscordConfig): Finding[] {
  const { roles, alerts } = discord;
  const ofKinds = kindsOfLogs.map(({ list, name }) => {
    return [list, discord[list], `${name}s`, 'does not have what they need'] as const;
  });
  const lacking: (readonly [key: string, wanted: readonly unknown[], what: string, lacks: string])[] = [
    ...ofKinds,
    ['roles', roles, 'roles', 'does not know who is linked'],
    ['alerts', alerts.filter(hasPlayerRules), 'alerts about players', 'does not say who comes on'],
  ];
  return lacking
    .filter(([, wanted]) => wanted.length > 0)
    .map(([key, , what, lacks]) =>
      about(`discord.${key}`, what).warning(
        `the bot reads a service elsewhere, which ${lacks}`,
        `set the ${what} up with the bot of that service`,
      ),
    );
}
