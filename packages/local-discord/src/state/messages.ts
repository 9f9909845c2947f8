import { GatewayIntentBits, PermissionFlagsBits as permission } from 'discord-api-types/v10';
import {
  type Attachment,
  type Json,
  type Message,
  type User,
  emptyMessage,
  messageFlag,
} from '../discord-types.ts';
import { placeAttachments, storeUpload, type Upload } from './attachments.ts';
import { refusals } from '../errors.ts';
import { botPermissionsIn } from './guilds.ts';
import { findMentions } from './mentions.ts';
import type { Channel, State } from './state.ts';
import { readMessageBody, refuseEmpty } from '../rules/messages.ts';
import { messageJson } from '../wire.ts';

/** Without this intent a session gets no events of messages. */
const messageIntent = ({ guildId }: { guildId: string | null }): number =>
  guildId === null ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages;

/** Messages kept per channel; a demo that runs for weeks must not grow. */
const keptMessages = 1000;

export interface Sending {
  body: Json;
  uploads: readonly Upload[];
  interaction?: Message['interaction'];
  visibleTo?: string | null;
  referenceId?: string | null;
  author?: User;
}

function announce(state: State, message: Message, change: 'created' | 'edited'): void {
  state.publish({ type: 'message', change, message });
  if (message.visibleTo !== null) return;
  const event = change === 'created' ? 'MESSAGE_CREATE' : 'MESSAGE_UPDATE';
  const data = {
    ...messageJson(state, message),
    ...(message.guildId !== null && { guild_id: message.guildId }),
  };
  state.dispatch(event, data, { guildId: message.guildId, intent: messageIntent(message) });
}

/** Whom a message of the bot mentions so that Discord notifies them. A role has to be mentionable, unless the bot may mention everyone. */
function mentionsOf(state: State, channel: Channel, content: string, allowed: Json | undefined) {
  const guild = channel.guildId === null ? undefined : state.guilds.get(channel.guildId);
  const everyone = guild && (botPermissionsIn(state, channel) & permission.MentionEveryone) !== 0n;
  const pingable = (roleId: string): boolean => everyone || (guild?.roles.get(roleId)?.mentionable ?? true);
  return findMentions(content, allowed, everyone ?? false, pingable);
}

/**
 * Sends a message from a bot's body.
 * @throws DiscordError 50035 for a bad body, 50006 for an empty one.
 */
export function sendMessage(state: State, channel: Channel, sending: Sending): Message {
  const { uploads } = sending;
  const body = readMessageBody(sending.body);
  const { content = '', embeds = [], components = [], flags = 0 } = body;
  refuseEmpty({ content, embeds, components, files: uploads.length });
  const attachments = uploads.map((upload) => storeUpload(state, channel.id, upload, body.attachments));
  placeAttachments(embeds, attachments);
  return add(state, channel, {
    author: sending.author ?? state.bot,
    content,
    embeds,
    components,
    attachments,
    flags,
    mentions: mentionsOf(state, channel, content, body.allowedMentions),
    visibleTo: sending.visibleTo ?? null,
    interaction: sending.interaction ?? null,
    referenceId: sending.referenceId ?? body.referenceId ?? null,
    nonce: body.nonce ?? null,
  });
}

/** The placeholder of a deferred answer ("… is thinking"): no content, LOADING flag. */
export function sendLoading(
  state: State,
  channel: Channel,
  visibleTo: string | null,
  interaction: NonNullable<Message['interaction']>,
): Message {
  const flags = messageFlag.loading | (visibleTo === null ? 0 : messageFlag.ephemeral);
  return add(state, channel, { author: state.bot, flags, visibleTo, interaction });
}

function add(
  state: State,
  channel: Channel,
  parts: Partial<Omit<Message, 'id' | 'channelId' | 'guildId' | 'createdAt'>> & Pick<Message, 'author'>,
): Message {
  const message: Message = {
    ...emptyMessage,
    id: state.snowflake(),
    channelId: channel.id,
    guildId: channel.guildId,
    createdAt: state.now(),
    ...parts,
  };
  channel.messages.set(message.id, message);
  const [oldest = ''] = channel.messages.keys();
  if (channel.messages.size > keptMessages) forget(state, channel, oldest);
  announce(state, message, 'created');
  return message;
}

/** Removes a message with its files. */
function forget(state: State, channel: Channel, id: string): void {
  for (const attachment of channel.messages.get(id)?.attachments ?? []) state.files.delete(attachment.id);
  channel.messages.delete(id);
}

/**
 * Changes what the body names and leaves the rest, as PATCH does; mentions are found anew. A loading message becomes
 * the answer, without the mark of an edit.
 * @throws DiscordError 50035, or 50006 when nothing would be left.
 */
export function editMessage(state: State, message: Message, raw: Json, uploads: readonly Upload[]): Message {
  const body = readMessageBody(raw);
  const channel = state.channels.get(message.channelId);
  if (!channel) throw refusals.unknownChannel();
  const { content = message.content, embeds = message.embeds, components = message.components } = body;
  const listed = body.attachments;
  const kept = message.attachments.filter((one) => !listed || listed.some(({ id }) => id === one.id));
  refuseEmpty({ content, embeds, components, files: kept.length + uploads.length });
  const added: Attachment[] = uploads.map((upload) => storeUpload(state, channel.id, upload, listed));
  for (const attachment of message.attachments) {
    if (!kept.includes(attachment)) state.files.delete(attachment.id);
  }
  const attachments = [...kept, ...added];
  placeAttachments(embeds, attachments);
  const { loading, suppressEmbeds } = messageFlag;
  if (!(message.flags & loading)) message.editedAt = state.now();
  const flags =
    (message.flags & ~(loading | suppressEmbeds)) | ((body.flags ?? message.flags) & suppressEmbeds);
  const mentions = mentionsOf(state, channel, content, body.allowedMentions);
  Object.assign(message, { content, embeds, components, attachments, flags, mentions });
  announce(state, message, 'edited');
  return message;
}

/** Deletes messages of a channel at once, as a moderator's tools do. */
export function deleteMessages(state: State, channel: Channel, ids: readonly string[]): void {
  const gone = ids.filter((id) => channel.messages.has(id));
  for (const messageId of gone) {
    forget(state, channel, messageId);
    state.publish({ type: 'messageDeleted', channelId: channel.id, messageId });
  }
  const data = { ids: gone, channel_id: channel.id, guild_id: channel.guildId };
  state.dispatch('MESSAGE_DELETE_BULK', data, { guildId: channel.guildId, intent: messageIntent(channel) });
}

export function deleteMessage(state: State, message: Message): void {
  const channel = state.channels.get(message.channelId);
  if (channel) forget(state, channel, message.id);
  state.publish({ type: 'messageDeleted', channelId: message.channelId, messageId: message.id });
  if (message.visibleTo !== null) return;
  const data = {
    id: message.id,
    channel_id: message.channelId,
    ...(message.guildId !== null && { guild_id: message.guildId }),
  };
  state.dispatch('MESSAGE_DELETE', data, { guildId: message.guildId, intent: messageIntent(message) });
}
