import type { REST } from '@discordjs/rest';
import {
  Routes,
  type APIGuild,
  type APIGuildMember,
  type APIOverwrite,
  type RESTGetAPICurrentUserGuildsResult,
  type RESTGetCurrentApplicationResult,
} from 'discord.js';
import { permissionsIn } from './channels/channel-permissions.ts';
import { createRest } from './rest.ts';

/**
 * Reads what Discord knows of a bot, without connecting as the bot: each connection counts against a daily limit. Each
 * method throws what REST throws.
 */
export class BotReader {
  readonly rest: REST;
  #application: Promise<RESTGetCurrentApplicationResult> | undefined;
  readonly #guilds = new Map<string, Promise<{ guild: APIGuild; member: APIGuildMember }>>();

  constructor(access: Parameters<typeof createRest>[0]) {
    this.rest = createRest(access);
  }

  async get<T>(route: `/${string}`): Promise<T> {
    return (await this.rest.get(route)) as T;
  }

  async application(): Promise<RESTGetCurrentApplicationResult> {
    this.#application ??= this.get(Routes.currentApplication());
    return await this.#application;
  }

  /** The guilds that the bot is in; Discord returns the first 200. */
  async guilds(): Promise<{ id: string; name: string }[]> {
    const guilds = await this.get<RESTGetAPICurrentUserGuildsResult>(Routes.userGuilds());
    return guilds.map(({ id, name }) => ({ id, name }));
  }

  /** A guild with its roles, and the bot as its member. */
  async guild(id: string): Promise<{ guild: APIGuild; member: APIGuildMember }> {
    let found = this.#guilds.get(id);
    if (found === undefined) {
      found = this.#readGuild(id);
      this.#guilds.set(id, found);
    }
    return await found;
  }

  async #readGuild(id: string): Promise<{ guild: APIGuild; member: APIGuildMember }> {
    const userId = await this.#userId();
    const [guild, member] = await Promise.all([
      this.get<APIGuild>(Routes.guild(id)),
      this.get<APIGuildMember>(Routes.guildMember(id, userId)),
    ]);
    return { guild, member };
  }

  /** The bot's permissions in a channel with these overwrites. */
  async permissions(guildId: string, overwrites: readonly APIOverwrite[]): Promise<bigint> {
    const [id, { guild, member }] = [await this.#userId(), await this.guild(guildId)];
    const isOwner = guild.owner_id === id;
    return permissionsIn(guild.roles, overwrites, { id, roles: member.roles, guildId, isOwner });
  }

  async #userId(): Promise<string> {
    const { id, bot } = await this.application();
    return bot?.id ?? id;
  }
}
