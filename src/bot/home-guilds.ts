import type { Logger } from 'pino';
import { clean } from '../embeds/text.ts';
import type { Gateway } from './gateway/gateway.ts';
import { guildSettings } from './guild-settings.ts';

/** The parts of the config that name guilds. */
interface NamedGuilds {
  guildIds: readonly string[];
  guilds?: readonly { id: string }[] | undefined;
}

interface Guild {
  id: string;
  name: string;
}

/**
 * The owner's guilds: those that the config names. If it names none and the bot is in a single guild, that one.
 * Permissions alone do not protect the owner, since anyone who adds the bot to their own guild has all of them there.
 */
function homeGuildIds({ guildIds, guilds = [] }: NamedGuilds, joined: readonly Guild[]): ReadonlySet<string> {
  const named = [...guildIds, ...guilds.map(({ id }) => id)];
  return new Set(named.length > 0 || joined.length !== 1 ? named : joined.map(({ id }) => id));
}

interface HomeGuildsOptions {
  named: () => NamedGuilds;
  gateway: () => Pick<Gateway, 'guilds'> | undefined;
  log: Logger;
}

/** A public bot may be in thousands of guilds. */
const mostLines = 5;
const remedy = ({ id }: Guild) =>
  `If it is yours, add this line to discord.guilds in the config: - { id: "${id}" }`;
const label = ({ id, name }: Guild) => `guild "${clean(name)}" (${id})`;

export class HomeGuilds {
  readonly #options: HomeGuildsOptions;
  readonly #reported = new Set<string>();
  #before: ReadonlySet<string> = new Set();

  constructor(options: HomeGuildsOptions) {
    this.#options = options;
  }

  isHome(guildId: string): boolean {
    const { guildIds, guilds = [] } = this.#options.named();
    if (!this.areNamed()) return this.#homes().has(guildId);
    return guildSettings(guilds, guildId) !== undefined || guildIds.includes(guildId);
  }

  /** Whether the config names them; otherwise, who adds the bot to a second guild changes what is one. */
  areNamed(): boolean {
    const { guildIds, guilds = [] } = this.#options.named();
    return guildIds.length > 0 || guilds.length > 0;
  }

  /** Logs each guild that is not a home guild once, and each guild that stops being one. */
  review(): void {
    const { log } = this.#options;
    const now = this.#homes();
    const joined = this.#joined();
    const others = joined.filter(({ id }) => !now.has(id));
    for (const guild of others.filter(({ id }) => this.#before.has(id))) {
      this.#reported.add(guild.id);
      log.warn(
        `${label(guild)} is no longer a home guild: the bot is in ${joined.length} guilds and the config names none. ` +
          `It answers no command there, and what was placed with /outpost is paused. ${remedy(guild)}`,
      );
    }
    const fresh = others.filter(({ id }) => !this.#reported.has(id));
    for (const guild of fresh.slice(0, mostLines)) {
      log.warn(`${label(guild)} is not a home guild: there, the bot only says whose it is. ${remedy(guild)}`);
    }
    if (fresh.length > mostLines) {
      log.warn(
        `${fresh.length - mostLines} more guilds are not home guilds: there, the bot only says whose it is`,
      );
    }
    for (const { id } of others) this.#reported.add(id);
    for (const id of now) this.#reported.delete(id);
    this.#before = now;
  }

  #joined(): readonly Guild[] {
    return this.#options.gateway()?.guilds() ?? [];
  }

  #homes(): ReadonlySet<string> {
    return homeGuildIds(this.#options.named(), this.#joined());
  }
}
