import type { Logger } from 'pino';
import { clean } from '../embeds/text.ts';
import type { Gateway } from './gateway/gateway.ts';
import { mostGuildLines } from './limits.ts';

/** The parts of the config that name guilds. */
interface NamedGuilds {
  guildIds: readonly string[];
  guilds?: readonly { id: string }[] | undefined;
}

interface HomeGuildsOptions {
  named: () => NamedGuilds;
  gateway: Pick<Gateway, 'guilds'>;
  log: Logger;
}

/**
 * The owner's guilds: those that the config names. If it names none and the bot is in a single guild, that one.
 * Permissions alone do not protect the owner, since anyone who adds the bot to their own guild has all of them there.
 */
export class HomeGuilds {
  readonly #options: HomeGuildsOptions;
  /** Guilds that were logged as no home guilds, so that each is logged once. */
  readonly #reported = new Set<string>();

  constructor(options: HomeGuildsOptions) {
    this.#options = options;
  }

  isHome(guildId: string): boolean {
    return this.#homes().includes(guildId);
  }

  /** Whether the config names them; otherwise, who adds the bot to a second guild changes what is one. */
  areNamed(): boolean {
    return this.#named().length > 0;
  }

  /** Logs guilds that are no home guilds, each once. */
  review(): void {
    const { log, gateway } = this.#options;
    const homes = this.#homes();
    for (const id of homes) this.#reported.delete(id);
    const others = gateway.guilds().filter(({ id }) => !homes.includes(id) && !this.#reported.has(id));
    for (const { id } of others) this.#reported.add(id);
    for (const { id, name } of others.slice(0, mostGuildLines)) {
      log.warn(
        `guild "${clean(name)}" (${id}) is not one of your Discord servers: there, the bot only says whose it is, ` +
          `and what was placed with /outpost is paused. If it is yours, add this line to discord.guilds in the config: - { id: "${id}" }`,
      );
    }
    const more = others.length - mostGuildLines;
    if (more > 0) log.warn(`${more} more guilds are not yours`);
  }

  #named(): string[] {
    const { guildIds, guilds = [] } = this.#options.named();
    return [...guildIds, ...guilds.map(({ id }) => id)];
  }

  #homes(): readonly string[] {
    const named = this.#named();
    if (named.length > 0) return named;
    const joined = this.#options.gateway.guilds();
    return joined.length === 1 ? joined.map(({ id }) => id) : [];
  }
}
