import type { BotTiming } from '../../bot/bot.ts';
import { placementsKey, type StoredPlacement, withRenamedServer } from '../../bot/channels/job-entries.ts';
import { createPictures } from '../../bot/pictures/pictures.ts';
import type { GuildProjects } from '../../bot/shown-project.ts';
import type { Config, ServerConfig } from '../../config/schema.ts';
import { createBotHost } from '../bot-host.ts';
import type { Core } from '../core.ts';
import { createBotRecords } from '../../community/bot-records.ts';
import { createCommunity } from '../../community/community.ts';
import { createEmbeddedClient } from '../embedded-client.ts';
import { createPlayerHistory } from '../../community/player-history.ts';
import type { Queries } from '../queries.ts';
import { createShownProjects } from '../../community/shown-projects.ts';

interface BotRoleOptions {
  /** Address of the service that the bot reads. */
  url: string;
  queries: Queries;
  /** Called when somebody was forgotten: unused parts of the store's file still contain what was deleted. */
  onForgotten: () => void;
  /** In place of the bot's defaults. */
  timing: BotTiming | undefined;
}

/** The role `bot`: answers members, keeps posts, alerts and kill feeds. */
export function createBotRole(core: Core, { url, queries, onForgotten, timing }: BotRoleOptions) {
  const { data, log, unlisted, config, clock, environment } = core;
  const { writer, reader, small } = data;
  const { discordToken: token, discordApiUrl } = environment;
  const projects = createShownProjects({
    config,
    createClient: (slug) => createEmbeddedClient(writer.db, url, slug, clock),
    communityOf: (slug) =>
      createCommunity(core.storedProject(slug), { results: queries.results, unlisted, onForgotten }),
  });
  const host = createBotHost({
    token,
    discordApiUrl,
    small,
    leases: core.leases,
    recordsOf: (lease) =>
      createBotRecords(writer.shared?.fenced([lease]) ?? writer.db, reader.db, unlisted.revision),
    pictures: createPictures(log, createPlayerHistory(reader.db, config)),
    timing,
    log,
    ...clock,
  });
  let guildProjects: GuildProjects = projects;
  /** Starts the bot or stops it, passes changes to a running one, or logs why there is none. */
  async function apply({ discord, projects: configured }: Config): Promise<void> {
    // A new object makes the bot start its jobs again, and so read what members placed.
    if (await renameServers(configured.flatMap(({ servers }) => servers))) guildProjects = { ...projects };
    await host.apply(discord === undefined ? null : { config: discord, projects: guildProjects });
  }
  /** Posts and alerts that members placed get the new ids of servers. @returns whether one was for a renamed server */
  async function renameServers(servers: readonly ServerConfig[]): Promise<boolean> {
    let isChanged = false;
    for (const { id, formerly } of servers) {
      if (formerly === undefined) continue;
      await small.change<readonly StoredPlacement[]>('bot', placementsKey, (before = []) => {
        const after = withRenamedServer(before, formerly, id);
        isChanged ||= after !== before;
        return after;
      });
    }
    return isChanged;
  }
  return { ...host, apply, expire: projects.expire };
}
