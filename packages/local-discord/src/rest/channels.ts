import type { Message } from '../discord-types.ts';
import { refusals } from '../errors.ts';
import { botPermissionsIn } from '../state/guilds.ts';
import { deleteMessage, editMessage, sendMessage } from '../state/messages.ts';
import { permission } from '../state/permissions.ts';
import type { Channel } from '../state/state.ts';
import { setThread } from '../state/threads.ts';
import { channelJson, messageJson } from '../wire.ts';
import { noContent, objectBody, ok, param } from './router.ts';
import type { RestRequest, Route } from './router.ts';

/** The path's channel, if the bot sees it and may do what is `needed` there. */
function channelOf(request: RestRequest, needed = 0n): Channel {
  const channel = request.state.channels.get(param(request, 'channel'));
  if (!channel) throw refusals.unknownChannel();
  const granted = botPermissionsIn(request.state, channel);
  if (!(granted & permission.viewChannel)) throw refusals.missingAccess();
  if ((granted & needed) !== needed) throw refusals.missingPermissions();
  return channel;
}

function messageOf(request: RestRequest, channel: Channel): Message {
  const message = channel.messages.get(param(request, 'message'));
  if (!message || message.visibleTo !== null) throw refusals.unknownMessage();
  return message;
}

/** What sending this body takes: threads, embeds and files have their own permissions. */
function neededFor(request: RestRequest): bigint {
  const channel = request.state.channels.get(param(request, 'channel'));
  const files = request.uploads.length > 0 ? permission.attachFiles : 0n;
  return (channel?.thread ? permission.sendMessagesInThreads : permission.sendMessages) | files;
}

/** Reopens an archived thread, as sending a message and `archived: false` do. A locked one takes Manage Threads. */
function reopen(request: RestRequest, channel: Channel): void {
  if (!channel.thread?.archived) return;
  const granted = botPermissionsIn(request.state, channel);
  if (channel.thread.locked && !(granted & permission.manageThreads)) throw refusals.threadArchived();
  setThread(request.state, channel, { archived: false });
}

/** Without Embed Links Discord takes the message and drops its embeds. */
function withoutForbiddenEmbeds(request: RestRequest, channel: Channel): ReturnType<typeof objectBody> {
  const body = objectBody(request);
  if (botPermissionsIn(request.state, channel) & permission.embedLinks) return body;
  const { embeds: _, ...rest } = body;
  return rest;
}

/** Discord promises "a few minutes". */
const nonceMemoryMs = 240_000;

/** The message that this request has sent already, when it is one that is repeated (`enforce_nonce`). */
function sentBefore(request: RestRequest, channel: Channel): Message | undefined {
  const body = objectBody(request);
  if (body['enforce_nonce'] !== true) return undefined;
  const oldest = request.state.now() - nonceMemoryMs;
  const remembered = [...channel.messages.values()].filter(({ createdAt }) => createdAt > oldest);
  return remembered.find(({ nonce }) => nonce === String(body['nonce']));
}

const base = '/channels/:channel';

export const channelRoutes: Route[] = [
  { method: 'GET', path: base, handle: (request) => ok(channelJson(channelOf(request))) },
  {
    method: 'PATCH',
    path: base,
    handle: (request) => {
      const channel = channelOf(request);
      const { archived } = objectBody(request);
      if (channel.thread === null || archived !== false) throw refusals.missingPermissions();
      const granted = botPermissionsIn(request.state, channel);
      const needed = channel.thread.locked ? permission.manageThreads : permission.sendMessagesInThreads;
      if (!(granted & needed)) throw refusals.missingPermissions();
      reopen(request, channel);
      return ok(channelJson(channel));
    },
  },
  {
    method: 'POST',
    path: `${base}/typing`,
    handle: (request) => (channelOf(request, permission.sendMessages), noContent),
  },
  {
    method: 'GET',
    path: `${base}/messages`,
    handle: (request) => {
      const channel = channelOf(request);
      const readable = botPermissionsIn(request.state, channel) & permission.readMessageHistory;
      const limit = Math.min(Number(request.query.get('limit') ?? 50) || 50, 100);
      const before = request.query.get('before');
      const after = request.query.get('after');
      const messages = [...channel.messages.values()]
        .filter((message) => message.visibleTo === null)
        .filter((message) => before === null || BigInt(message.id) < BigInt(before))
        .filter((message) => after === null || BigInt(message.id) > BigInt(after));
      const newest = messages.toReversed().slice(0, limit);
      return ok(readable ? newest.map((message) => messageJson(request.state, message)) : []);
    },
  },
  {
    method: 'POST',
    path: `${base}/messages`,
    handle: (request) => {
      const channel = channelOf(request, neededFor(request));
      reopen(request, channel);
      const body = withoutForbiddenEmbeds(request, channel);
      const sent = sentBefore(request, channel);
      if (sent) return ok(messageJson(request.state, sent));
      const message = sendMessage(request.state, channel, { body, uploads: request.uploads });
      return ok(messageJson(request.state, message));
    },
  },
  {
    method: 'GET',
    path: `${base}/messages/:message`,
    handle: (request) => {
      const channel = channelOf(request, permission.readMessageHistory);
      return ok(messageJson(request.state, messageOf(request, channel)));
    },
  },
  {
    method: 'PATCH',
    path: `${base}/messages/:message`,
    handle: (request) => {
      const channel = channelOf(request);
      const message = messageOf(request, channel);
      if (message.author.id !== request.state.bot.id) throw refusals.otherAuthor();
      if (channel.thread?.archived) throw refusals.threadArchived();
      const body = withoutForbiddenEmbeds(request, channel);
      return ok(messageJson(request.state, editMessage(request.state, message, body, request.uploads)));
    },
  },
  {
    method: 'DELETE',
    path: `${base}/messages/:message`,
    handle: (request) => {
      const channel = channelOf(request);
      const message = messageOf(request, channel);
      const mine = message.author.id === request.state.bot.id;
      if (!mine && !(botPermissionsIn(request.state, channel) & permission.manageMessages)) {
        throw refusals.missingPermissions();
      }
      if (channel.thread?.archived) throw refusals.threadArchived();
      deleteMessage(request.state, message);
      return noContent;
    },
  },
];
