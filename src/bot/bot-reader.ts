import {
  Client as DiscordClient,
  Routes,
  type APIChannel,
  type GuildBasedChannel,
  type GuildMember,
  type RESTGetCurrentApplicationResult,
} from 'discord.js';
import { restWaitMs } from './limits.ts';
import { restOptions } from './rest.ts';

export type BotReader = ReturnType<typeof createBotReader>;

/**
 * Reads what Discord knows of a bot with a client of discord.js that does not connect: each connection counts against a daily
 * limit. Each method throws what REST throws.
 * @param timeoutMs limit for a request, which is not repeated then
 */
export function createBotReader(token: string, apiUrl: string | undefined, timeoutMs?: number) {
  const once = timeoutMs === undefined ? {} : { timeout: timeoutMs, retries: 0 };
  const client = new DiscordClient({ intents: [], rest: { ...restOptions(apiUrl, restWaitMs), ...once } });
  client.rest.setToken(token);
  let known: Promise<RESTGetCurrentApplicationResult> | undefined;

  const get = async <T>(route: `/${string}`): Promise<T> => (await client.rest.get(route)) as T;

  async function application(): Promise<RESTGetCurrentApplicationResult> {
    known ??= get(Routes.currentApplication());
    return await known;
  }

  /** The bot as a member of a guild, with its roles. */
  async function memberIn(guildId: string): Promise<GuildMember> {
    const { id: applicationId, bot } = await application();
    const guild = await client.guilds.fetch(guildId);
    return await guild.members.fetch(bot?.id ?? applicationId);
  }

  return {
    get,
    application,
    memberIn,
    /** The guilds that the bot is in; Discord returns the first 200. */
    async guilds(): Promise<{ id: string; name: string }[]> {
      const guilds = await client.guilds.fetch();
      return guilds.map(({ id, name }) => ({ id, name }));
    },
    /** A channel or thread, and the bot as a member of its guild; null: it is of no guild. */
    async channel(id: string): Promise<{ channel: GuildBasedChannel; me: GuildMember } | null> {
      const found = await get<APIChannel & { guild_id?: string }>(Routes.channel(id));
      if (found.guild_id === undefined) return null;
      const me = await memberIn(found.guild_id);
      const { channels } = me.guild;
      // The permissions in a thread are those of the channel around it.
      if ('thread_metadata' in found && found.parent_id) await channels.fetch(found.parent_id);
      const channel = await channels.fetch(id);
      return channel && { channel, me };
    },
  };
}
