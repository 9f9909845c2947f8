import { hostAndPort } from 'game-files';
import { hasPlayerRules } from '../../bot/channels/kinds/arrival-rules.ts';
import type { Config, DiscordConfig } from '../../config/schema.ts';
import { factsOf } from '../../server/games/table.ts';
import { isPrivateHost } from '../../server/live/private-host.ts';
import { queryKeyProblems, queryKeyText } from '../../server/live/query-keys.ts';
import { count } from '../output.ts';
import { about, type Finding } from './finding.ts';

/** What is odd about the addresses in a config, and about the queries of game servers. */
export function checkAddresses({ http: { page, publicUrl }, projects }: Config): Finding[] {
  const servers = projects.flatMap((project) => project.servers.filter(({ active }) => active));
  const url = publicUrl === undefined ? null : new URL(publicUrl);
  const isPublic = url !== null && !isPrivateHost(url.hostname.replace(/^\[|\]$/g, ''));
  return [
    ...projects.flatMap((project) => sharedAddresses(project.servers)),
    ...servers.flatMap(checkQueryKeys),
    ...(isPublic ? servers.flatMap(checkJoinAddress) : []),
    // Links on the page begin at the root.
    ...(page !== undefined && url !== null && url.pathname !== '/'
      ? [about('http.publicUrl', url.href)('page.inFolder')]
      : []),
  ];
}

type Server = Config['projects'][number]['servers'][number];

/** Servers of a project that are queried at one address: usually a copied section whose port was not changed. */
function sharedAddresses(servers: readonly Server[]): Finding[] {
  const first = new Map<string, string>();
  return servers
    .filter(({ active }) => active)
    .flatMap(({ id, game, host, port, queryPort }) => {
      const address = hostAndPort({ host: host.toLowerCase(), port: queryPort ?? port });
      const other = first.get(address);
      if (other === undefined) {
        first.set(address, id);
        return [];
      }
      const report = about(queryPort === undefined ? `${id}.port` : `${id}.queryPort`, address);
      return [report('address.shared', { other, setting: queryPortSetting(game) })];
    });
}

/** ` (steamQueryPort in serverDZ.cfg)`; empty: it is not known of the game. */
export function queryPortSetting(game: string): string {
  const words = factsOf(game)?.words;
  return words === undefined ? '' : ` (${words.queryPort} in ${words.configFile})`;
}

/** A server whose buttons lead players to an address that only this machine or its network reaches. */
function checkJoinAddress({ id, host, port, queryPort = port, joinAddress }: Server): Finding[] {
  if (joinAddress !== undefined || !isPrivateHost(host)) return [];
  return [about(`${id}.joinAddress`, hostAndPort({ host, port: queryPort }))('address.private', { port })];
}

/** What is missing in the query of a server, or is there without need. */
function checkQueryKeys({ id, game, query }: Server): Finding[] {
  const { missing, unused } = queryKeyProblems(game, query);
  const report = about(`${id}.query`, game);
  const rules = queryKeyText(game);
  const next = rules === '' ? 'leave query out: the address is enough' : `the query ${rules}`;
  return [
    ...(missing.length > 0 ? [report('query.missingKeys', { keys: missing.join(', ') })] : []),
    ...(unused.length > 0 ? [report('query.unusedKeys', { keys: unused.join(', '), next })] : []),
  ];
}

/** What the bot's section of the config says by itself. @param config null: the bot reads a service elsewhere */
export function checkBotConfig(discord: DiscordConfig, config: Config | null): Finding[] {
  const named = new Set([...discord.guildIds, ...discord.guilds.map(({ id }) => id)]).size;
  const homes = about('discord.guilds', 'home guilds');
  return [
    named > 0 ? homes('guilds.named', { guilds: named }) : homes('guilds.unnamed'),
    ...(config === null ? checkRemoteBot(discord) : checkPosts(discord, config)),
  ];
}

/** With a shorter delay, positions show where players are. */
const harmless = 300;

/** Whether what is posted has logs to come from, and kill feeds keep where players are to themselves. */
function checkPosts({ alerts, killFeeds, roles }: DiscordConfig, { projects }: Config): Finding[] {
  const servers = projects.flatMap((project) => project.servers);
  const withLogs = new Set(servers.filter(({ logs }) => logs !== undefined).map(({ id }) => id));
  const withoutLogs = (ids: readonly string[]): string[] => ids.filter((id) => !withLogs.has(id));
  return [
    ...killFeeds.flatMap(({ channelId, servers: ids, positions, delaySeconds }, place) => {
      const report = about(`discord.killFeeds[${place}]`, `kill feed in channel ${channelId}`);
      // All servers of a feed are of one project.
      const isStored = projects.some(
        (one) => one.killPositions && one.servers.some(({ id }) => id === ids[0]),
      );
      return [
        ...withoutLogs(ids).map((server) =>
          report('post.noLogs', { server, lacks: 'no kill of it is known' }),
        ),
        ...(positions && !isStored ? [report('feed.noPositions')] : []),
        ...(positions && isStored && delaySeconds < harmless
          ? [report('feed.positionsSoon', { delay: count(delaySeconds, 'second'), harmless })]
          : []),
      ];
    }),
    ...alerts.flatMap((alert, place) => {
      const report = about(`discord.alerts[${place}]`, `alert in channel ${alert.channelId}`);
      return (hasPlayerRules(alert) ? withoutLogs(alert.servers) : []).map((server) =>
        report('post.noLogs', { server, lacks: 'it is not known who comes on' }),
      );
    }),
    ...roles.flatMap(({ roleId, playTime, rank }, index) => {
      const period = (playTime ?? rank)?.period;
      if (withLogs.size > 0 || period === undefined) return [];
      return [about(`discord.roles[${index}]`, `role ${roleId}`)('role.noLogs', { period })];
    }),
  ];
}

/** What the config wants of a bot that reads a service elsewhere, which has not all that an embedded one has. */
function checkRemoteBot({ killFeeds, recapPosts, roles, alerts }: DiscordConfig): Finding[] {
  const lacking: [key: string, wanted: readonly unknown[], what: string, lacks: string][] = [
    ['killFeeds', killFeeds, 'kill feeds', 'has no kills for it'],
    ['recapPosts', recapPosts, 'recaps', 'has no recaps for it'],
    ['roles', roles, 'roles', 'does not know who is linked'],
    ['alerts', alerts.filter(hasPlayerRules), 'alerts about players', 'does not say who comes on'],
  ];
  return lacking
    .filter(([, wanted]) => wanted.length > 0)
    .map(([key, , what, lacks]) => about(`discord.${key}`, what)('remoteBot.lacks', { what, lacks }));
}
