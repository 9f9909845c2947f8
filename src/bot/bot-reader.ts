import {
  Client as DiscordClient,
  Routes,
  type APIChannel,
  type Guild,
  type GuildBasedChannel,
  type GuildMember,
  type RESTGetCurrentApplicationResult,
} from 'discord.js';
import { restWaitMs } from './limits.ts';
import { restOptions } from './rest.ts';

/**
 * Reads what Discord knows of a bot with a client of discord.js that does not connect: each connection counts against a daily
 * limit. Each method throws what REST throws.
 */
export class BotReader {
  readonly #client: DiscordClient;
  #application: Promise<RESTGetCurrentApplicationResult> | undefined;

  /** @param timeoutMs limit for a request, which is not repeated then */
  constructor({
    token,
    apiUrl,
    timeoutMs,
  }: {
    token: string;
    apiUrl?: string | undefined;
    timeoutMs?: number;
  }) {
    const once = timeoutMs === undefined ? {} : { timeout: timeoutMs, retries: 0 };
    this.#client = new DiscordClient({
      intents: [],
      rest: { ...restOptions(apiUrl, restWaitMs), ...once },
    });
    this.#client.rest.setToken(token);
  }

  async get<T>(route: `/${string}`): Promise<T> {
    return (await this.#client.rest.get(route)) as T;
  }

  async application(): Promise<RESTGetCurrentApplicationResult> {
    this.#application ??= this.get(Routes.currentApplication());
    return await this.#application;
  }

  /** The guilds that the bot is in; Discord returns the first 200. */
  async guilds(): Promise<{ id: string; name: string }[]> {
    const guilds = await this.#client.guilds.fetch();
    return guilds.map(({ id, name }) => ({ id, name }));
  }

  /** A guild with its roles, and the bot as its member. */
  async guild(id: string): Promise<{ guild: Guild; me: GuildMember }> {
    const { id: applicationId, bot } = await this.application();
    const guild = await this.#client.guilds.fetch(id);
    return { guild, me: await guild.members.fetch(bot?.id ?? applicationId) };
  }

  /** A channel or thread, and the bot as a member of its guild; null: it is of no guild. */
  async channel(id: string): Promise<{ channel: GuildBasedChannel; me: GuildMember } | null> {
    const found = await this.get<APIChannel & { guild_id?: string }>(Routes.channel(id));
    if (found.guild_id === undefined) return null;
    const { guild, me } = await this.guild(found.guild_id);
    // The permissions in a thread are those of the channel around it.
    if ('thread_metadata' in found && found.parent_id) await guild.channels.fetch(found.parent_id);
    const channel = await guild.channels.fetch(id);
    return channel && { channel, me };
  }
}
