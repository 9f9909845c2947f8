import type { Logger } from 'pino';
import type { DiscordConfig } from '../config/schema/discord.ts';
import { clean } from '../embeds/text.ts';
import type { Gateway } from './gateway/gateway.ts';
import { mostGuildLines } from './limits.ts';

export type HomeGuilds = ReturnType<typeof createHomeGuilds>;

/**
 * The owner's guilds: those that the config names. If it names none and the bot is in a single guild, that one.
 * Permissions alone do not protect the owner, since anyone who adds the bot to their own guild has all of them there.
 */
export function createHomeGuilds(
  gateway: Gateway,
  config: () => Pick<DiscordConfig, 'guildIds' | 'guilds'>,
  log: Logger,
) {
  /** Guilds that were logged as no home guilds, so that each is logged once. */
  const reported = new Set<string>();

  function named(): string[] {
    const { guildIds, guilds } = config();
    return [...guildIds, ...guilds.map(({ id }) => id)];
  }

  function homes(): readonly string[] {
    if (named().length > 0) return named();
    const joined = gateway.guilds();
    return joined.length === 1 ? joined.map(({ id }) => id) : [];
  }

  return {
    isHome: (guildId: string): boolean => homes().includes(guildId),
    /** Whether the config names them; otherwise, who adds the bot to a second guild changes what is one. */
    areNamed: (): boolean => named().length > 0,
    /** Logs guilds that are no home guilds, each once. */
    review(): void {
      const home = homes();
      for (const id of home) reported.delete(id);
      const others = gateway.guilds().filter(({ id }) => !home.includes(id) && !reported.has(id));
      for (const { id } of others) reported.add(id);
      for (const { id, name } of others.slice(0, mostGuildLines)) {
        log.warn(
          `guild "${clean(name)}" (${id}) is not one of your Discord servers: there, the bot only says whose it is, ` +
            `and what was placed with /outpost is paused. If it is yours, add this line to discord.guilds in the config: - { id: "${id}" }`,
        );
      }
      const more = others.length - mostGuildLines;
      if (more > 0) log.warn(`${more} more guilds are not yours`);
    },
  };
}
