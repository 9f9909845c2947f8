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

const labelOf = ({ id, name }: { id: string; name: string }) => `guild "${clean(name)}" (${id})`;
const remedyOf = (id: string) =>
  `If it is yours, add this line to discord.guilds in the config: - { id: "${id}" }`;

/**
 * The owner's guilds: those that the config names. If it names none and the bot is in a single guild, that one.
 * Permissions alone do not protect the owner, since anyone who adds the bot to their own guild has all of them there.
 */
export class HomeGuilds {
  readonly #options: HomeGuildsOptions;
  /** Guilds that were logged as no home guilds, so that each is logged once. */
  readonly #reported = new Set<string>();
  #before: readonly string[] = [];

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

  /** Logs each guild that is not a home guild once, and each guild that stops being one. */
  review(): void {
    const { log, gateway } = this.#options;
    const homes = this.#homes();
    const joined = gateway.guilds();
    for (const id of homes) this.#reported.delete(id);
    const others = joined.filter(({ id }) => !homes.includes(id) && !this.#reported.has(id));
    for (const guild of others.slice(0, mostGuildLines)) {
      log.warn(
        this.#before.includes(guild.id)
          ? `${labelOf(guild)} is no longer one of your Discord servers: the bot is in ${joined.length} guilds and the config names none. ` +
              `It answers no command there, and what was placed with /outpost is paused. ${remedyOf(guild.id)}`
          : `${labelOf(guild)} is not one of your Discord servers: there, the bot only says whose it is. ${remedyOf(guild.id)}`,
      );
    }
    if (others.length > mostGuildLines) {
      const more = others.length - mostGuildLines;
      log.warn(`${more} more guilds are not yours: there, the bot only says whose it is`);
    }
    for (const { id } of others) this.#reported.add(id);
    this.#before = homes;
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
