import { type Message, type User, messageFlag } from './discord-types.ts';
import { botPermissionsIn } from './state/guilds.ts';
import { memberPermissions } from './state/permissions.ts';
import type { Channel, Guild, Role, State } from './state/state.ts';

/** Discord's JSON of the things in the state (API v10 object shapes, the fields that clients read). */

const iso = (ms: number): string => new Date(ms).toISOString().replace('Z', '000+00:00');

export function userJson(user: User): object {
  return {
    id: user.id,
    username: user.username,
    global_name: user.bot ? null : user.displayName,
    discriminator: user.bot ? '0001' : '0',
    avatar: null,
    banner: null,
    accent_color: null,
    public_flags: 0,
    flags: 0,
    ...(user.bot && { bot: true }),
  };
}

export function applicationJson(state: State): object {
  return {
    id: state.applicationId,
    name: state.bot.username,
    icon: null,
    description: '',
    summary: '',
    bot_public: false,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    flags: 0,
    hook: true,
    bot: userJson(state.bot),
    integration_types_config: { '0': {} },
  };
}

export function roleJson(role: Role): object {
  return {
    id: role.id,
    name: role.name,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: role.position,
    permissions: role.permissions.toString(),
    managed: role.managed,
    mentionable: role.mentionable,
    flags: 0,
  };
}

export function memberJson(guild: Guild, user: User): object {
  const member = guild.members.get(user.id);
  return {
    user: userJson(user),
    nick: null,
    avatar: null,
    banner: null,
    roles: member?.roles ?? [],
    joined_at: iso(member?.joinedAt ?? 0),
    premium_since: null,
    communication_disabled_until: null,
    deaf: false,
    mute: false,
    pending: false,
    flags: 0,
  };
}

export function channelJson(channel: Channel): object {
  const { id, name, thread, recipient, messages } = channel;
  const common = { id, last_message_id: [...messages.keys()].at(-1) ?? null, flags: 0 };
  if (recipient) return { ...common, type: 1, recipients: [userJson(recipient)] };
  const inGuild = { ...common, guild_id: channel.guildId, name, rate_limit_per_user: 0 };
  if (thread) {
    return {
      ...inGuild,
      type: thread.isPrivate ? 12 : 11,
      parent_id: thread.parentId,
      owner_id: '0',
      message_count: messages.size,
      member_count: 1,
      thread_metadata: {
        archived: thread.archived,
        locked: thread.locked,
        auto_archive_duration: 1440,
        archive_timestamp: iso(0),
        create_timestamp: iso(0),
      },
    };
  }
  return {
    ...inGuild,
    type: 0,
    topic: channel.topic,
    position: channel.position,
    parent_id: null,
    nsfw: false,
    permission_overwrites: channel.overwrites.map((overwrite) => ({
      ...overwrite,
      allow: overwrite.allow.toString(),
      deny: overwrite.deny.toString(),
    })),
  };
}

/** A guild as REST gives it; GUILD_CREATE adds its channels and members (`guildCreateJson`). */
export function guildJson(guild: Guild): object {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    description: null,
    splash: null,
    discovery_splash: null,
    banner: null,
    owner_id: guild.ownerId,
    region: 'rotterdam',
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: 0,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: 0,
    default_message_notifications: 1,
    explicit_content_filter: 0,
    mfa_level: 0,
    nsfw_level: 0,
    nsfw: false,
    premium_tier: 0,
    premium_subscription_count: 0,
    premium_progress_bar_enabled: false,
    preferred_locale: guild.locale,
    rules_channel_id: null,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
    application_id: null,
    vanity_url_code: null,
    max_members: 500000,
    max_presences: null,
    max_video_channel_users: 25,
    max_stage_video_channel_users: 50,
    features: [],
    emojis: [],
    stickers: [],
    roles: [...guild.roles.values()].map(roleJson),
    hub_type: null,
    incidents_data: null,
  };
}

export function guildCreateJson(state: State, guild: Guild): object {
  const bot = guild.members.get(state.bot.id);
  return {
    ...guildJson(guild),
    joined_at: iso(bot?.joinedAt ?? 0),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    members: [memberJson(guild, state.bot)],
    channels: [...guild.channels.values()].filter(({ thread }) => !thread).map(channelJson),
    // Discord leaves archived threads out.
    threads: [...guild.channels.values()].filter(({ thread }) => thread?.archived === false).map(channelJson),
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

/** What a message lists of its files: embeds show the others. */
const listed = ({ attachments }: Message): object[] =>
  attachments.filter(({ embedded }) => !embedded).map((one) => ({ ...one, embedded: undefined }));

export function messageJson(state: State, message: Message): object {
  const { interaction, referenceId } = message;
  const isCommandAnswer = interaction?.type === 2 && referenceId === null;
  return {
    id: message.id,
    channel_id: message.channelId,
    type: isCommandAnswer ? 20 : referenceId ? 19 : 0,
    author: userJson(message.author),
    content: message.content,
    embeds: message.flags & messageFlag.suppressEmbeds ? [] : message.embeds,
    components: message.components,
    attachments: listed(message),
    mentions: message.mentions.users.map((id) =>
      userJson(state.users.get(id) ?? { id, username: `user-${id}`, displayName: `user-${id}`, bot: false }),
    ),
    mention_roles: message.mentions.roles,
    mention_everyone: message.mentions.everyone,
    flags: message.flags,
    timestamp: iso(message.createdAt),
    edited_timestamp: message.editedAt === null ? null : iso(message.editedAt),
    tts: false,
    pinned: false,
    ...(message.author.id === state.bot.id &&
      interaction && { webhook_id: state.applicationId, application_id: state.applicationId }),
    ...(referenceId !== null && {
      message_reference: { type: 0, message_id: referenceId, channel_id: message.channelId },
    }),
    ...(interaction && interactionsJson(interaction, message.guildId)),
  };
}

/** What a message says of the interaction that it answers, in Discord's present and former field. */
function interactionsJson(
  { id, type, user, commandName: name }: NonNullable<Message['interaction']>,
  guildId: string | null,
): object {
  const about = { id, type, user: userJson(user), ...(name !== null && { name }) };
  const owners = { authorizing_integration_owners: { '0': guildId ?? '0' } };
  return { interaction_metadata: { ...about, ...owners }, ...(name !== null && { interaction: about }) };
}

/** The bot's own permissions in a channel as an interaction carries them. */
export function appPermissions(state: State, channel: Channel): string {
  return (channel.guildId === null ? memberPermissions : botPermissionsIn(state, channel)).toString();
}
