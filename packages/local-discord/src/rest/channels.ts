import { PermissionFlagsBits as permission } from 'discord-api-types/v10';
import type { Json, Message } from '../discord-types.ts';
import { refusals } from '../errors.ts';
import { botPermissionsIn } from '../state/guilds.ts';
import { deleteMessage, editMessage, sendMessage } from '../state/messages.ts';
import { setThread } from '../state/threads.ts';
import type { Channel } from '../state/state.ts';
import { channelJson, messageJson } from '../wire.ts';
import { noContent, ok, param, type RestRequest, type Routes } from './router.ts';

/** The path's channel, if the bot sees it and may do what is `needed` there. */
function channelOf(request: RestRequest, needed = 0n): Channel {
  const channel = request.state.channels.get(param(request, 'channel'));
  if (!channel) throw refusals.unknownChannel();
  if (!may(request, channel, permission.ViewChannel)) throw refusals.missingAccess();
  if (!may(request, channel, needed)) throw refusals.missingPermissions();
  return channel;
}

/** Whether the bot may do all of this in a channel. */
const may = ({ state }: RestRequest, channel: Channel, needed: bigint): boolean =>
  (botPermissionsIn(state, channel) & needed) === needed;

function messageOf(request: RestRequest, channel: Channel): Message {
  const message = channel.messages.get(param(request, 'message'));
  if (!message || message.visibleTo !== null) throw refusals.unknownMessage();
  return message;
}

/** What sending this body takes: threads, embeds and files have their own permissions. */
function neededFor(request: RestRequest): bigint {
  const channel = request.state.channels.get(param(request, 'channel'));
  const files = request.uploads.length > 0 ? permission.AttachFiles : 0n;
  return (channel?.thread ? permission.SendMessagesInThreads : permission.SendMessages) | files;
}

/** Reopens an archived thread, as sending a message and `archived: false` do. A locked one takes Manage Threads. */
function reopen(request: RestRequest, channel: Channel): void {
  if (!channel.thread?.archived) return;
  if (channel.thread.locked && !may(request, channel, permission.ManageThreads)) {
    throw refusals.threadArchived();
  }
  setThread(request.state, channel, { archived: false });
}

/** Without Embed Links Discord takes the message and drops its embeds. */
function withoutForbiddenEmbeds(request: RestRequest, channel: Channel): Json {
  if (may(request, channel, permission.EmbedLinks)) return request.body;
  const { embeds: _, ...rest } = request.body;
  return rest;
}

/** Discord promises "a few minutes". */
const nonceMemoryMs = 240_000;

/** The message that this request has sent already, when it is one that is repeated (`enforce_nonce`). */
function sentBefore({ state, body }: RestRequest, channel: Channel): Message | undefined {
  if (body['enforce_nonce'] !== true) return undefined;
  const oldest = state.now() - nonceMemoryMs;
  const remembered = [...channel.messages.values()].filter(({ createdAt }) => createdAt > oldest);
  return remembered.find(({ nonce }) => nonce === String(body['nonce']));
}

export const channelRoutes: Routes = {
  'GET /channels/:channel': (request) => ok(channelJson(channelOf(request))),
  'PATCH /channels/:channel': (request) => {
    const channel = channelOf(request);
    if (channel.thread === null || request.body['archived'] !== false) throw refusals.missingPermissions();
    const needed = channel.thread.locked ? permission.ManageThreads : permission.SendMessagesInThreads;
    if (!may(request, channel, needed)) throw refusals.missingPermissions();
    reopen(request, channel);
    return ok(channelJson(channel));
  },
  'POST /channels/:channel/typing': (request) => (channelOf(request, permission.SendMessages), noContent),
  'GET /channels/:channel/messages': (request) => {
    const channel = channelOf(request);
    if (!may(request, channel, permission.ReadMessageHistory)) return ok([]);
    const limit = Math.min(Number(request.query.get('limit') ?? 50) || 50, 100);
    const before = request.query.get('before');
    const after = request.query.get('after');
    const messages = [...channel.messages.values()]
      .filter((message) => message.visibleTo === null)
      .filter((message) => before === null || BigInt(message.id) < BigInt(before))
      .filter((message) => after === null || BigInt(message.id) > BigInt(after));
    const newest = messages.toReversed().slice(0, limit);
    return ok(newest.map((message) => messageJson(request.state, message)));
  },
  'POST /channels/:channel/messages': (request) => {
    const channel = channelOf(request, neededFor(request));
    reopen(request, channel);
    const body = withoutForbiddenEmbeds(request, channel);
    const message =
      sentBefore(request, channel) ?? sendMessage(request.state, channel, { body, uploads: request.uploads });
    return ok(messageJson(request.state, message));
  },
  'GET /channels/:channel/messages/:message': (request) => {
    const channel = channelOf(request, permission.ReadMessageHistory);
    return ok(messageJson(request.state, messageOf(request, channel)));
  },
  'PATCH /channels/:channel/messages/:message': (request) => {
    const channel = channelOf(request);
    const message = messageOf(request, channel);
    if (message.author.id !== request.state.bot.id) throw refusals.otherAuthor();
    if (channel.thread?.archived) throw refusals.threadArchived();
    const body = withoutForbiddenEmbeds(request, channel);
    return ok(messageJson(request.state, editMessage(request.state, message, body, request.uploads)));
  },
  'DELETE /channels/:channel/messages/:message': (request) => {
    const channel = channelOf(request);
    const message = messageOf(request, channel);
    const isOwn = message.author.id === request.state.bot.id;
    if (!isOwn && !may(request, channel, permission.ManageMessages)) throw refusals.missingPermissions();
    if (channel.thread?.archived) throw refusals.threadArchived();
    deleteMessage(request.state, message);
    return noContent;
  },
};
