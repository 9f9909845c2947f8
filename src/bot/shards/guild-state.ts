import { OverwriteType, type Guild, type GuildBasedChannel } from 'discord.js';
import { z } from 'zod';

const id = z.string().regex(/^\d{15,20}$/);
const bits = z.string().regex(/^\d{1,30}$/);
const overwrite = z.object({ id, type: z.int(), allow: bits, deny: bits });
const channel = z.object({
  id,
  type: z.int(),
  name: z.string(),
  parent_id: id.nullable(),
  position: z.int().optional(),
  permission_overwrites: z.array(overwrite).optional(),
});
const thread = channel.extend({
  thread_metadata: z.object({
    archived: z.boolean(),
    locked: z.boolean(),
    archive_timestamp: z.string(),
    auto_archive_duration: z.int(),
  }),
});
const role = z.object({
  id,
  name: z.string(),
  position: z.int(),
  permissions: bits,
  managed: z.boolean(),
  mentionable: z.boolean(),
});
const member = z.object({
  user: z.object({ id, username: z.string(), bot: z.literal(true) }),
  roles: z.array(id),
  joined_at: z.string(),
  communication_disabled_until: z.string().nullable(),
});

/**
 * A guild as a GUILD_CREATE describes it, as far as the bot needs it: to answer, to post, and to know its permissions. No
 * messages, no members but the bot itself. An unavailable guild is its id alone.
 */
export const guildStateSchema = z.union([
  z.object({ id, unavailable: z.literal(true) }),
  z.object({
    id,
    unavailable: z.literal(false),
    name: z.string(),
    owner_id: id,
    preferred_locale: z.string(),
    features: z.array(z.string()),
    roles: z.array(role),
    channels: z.array(channel),
    threads: z.array(thread),
    members: z.array(member).length(1),
  }),
]);

export type GuildState = z.infer<typeof guildStateSchema>;

type KnownState = Extract<GuildState, { unavailable: false }>;

/** The state of a guild, from what discord.js knows of it; null: that is not enough. */
export function guildStateOf(guild: Guild): GuildState | null {
  const { me } = guild.members;
  if (!guild.available) return { id: guild.id, unavailable: true };
  if (me === null) return null;
  const channels: KnownState['channels'] = [];
  const threads: KnownState['threads'] = [];
  for (const each of guild.channels.cache.values()) {
    if (each.isThread()) {
      threads.push({
        ...named(each),
        thread_metadata: {
          archived: each.archived ?? false,
          locked: each.locked ?? false,
          archive_timestamp: dateOf(each.archiveTimestamp),
          auto_archive_duration: each.autoArchiveDuration ?? 1_440,
        },
      });
    } else {
      channels.push({
        ...named(each),
        position: each.rawPosition,
        // Those of members concern the bot only where they name it.
        permission_overwrites: [...each.permissionOverwrites.cache.values()]
          .filter((one) => one.type === OverwriteType.Role || one.id === me.id)
          .map((one) => ({
            id: one.id,
            type: one.type,
            allow: String(one.allow.bitfield),
            deny: String(one.deny.bitfield),
          })),
      });
    }
  }
  return {
    id: guild.id,
    unavailable: false,
    name: guild.name,
    owner_id: guild.ownerId,
    preferred_locale: guild.preferredLocale,
    features: guild.features,
    roles: guild.roles.cache.map(({ id, name, rawPosition, permissions, managed, mentionable }) => ({
      id,
      name,
      position: rawPosition,
      permissions: String(permissions.bitfield),
      managed,
      mentionable,
    })),
    channels,
    threads,
    members: [
      {
        user: { id: me.id, username: me.user.username, bot: true },
        roles: me.roles.cache.filter(({ id }) => id !== guild.id).map(({ id }) => id),
        joined_at: dateOf(me.joinedTimestamp),
        communication_disabled_until: me.communicationDisabledUntil?.toISOString() ?? null,
      },
    ],
  };
}

function named({ id, type, name, parentId }: GuildBasedChannel) {
  return { id, type, name, parent_id: parentId };
}

const dateOf = (ms: number | null): string => new Date(ms ?? 0).toISOString();
