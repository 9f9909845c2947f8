import { type Message, messageFlag } from '../discord-types.ts';
import { refusals } from '../errors.ts';
import { interactionOf, isEphemeral } from '../interactions.ts';
import type { Interaction } from '../interactions.ts';
import { deleteMessage, editMessage, sendMessage } from '../state/messages.ts';
import { messageJson } from '../wire.ts';
import { noContent, objectBody, ok, param } from './router.ts';
import type { RestRequest, Route } from './router.ts';

function ofPath(request: RestRequest): Interaction {
  if (param(request, 'application') !== request.state.applicationId) throw refusals.unknownWebhook();
  return request.interactions.forWebhook(param(request, 'token'));
}

/** `@original` or a follow-up's id; what has been deleted meanwhile is unknown. */
function messageOf(request: RestRequest, interaction: Interaction): Message {
  const id = param(request, 'message');
  const { original } = interaction;
  const message =
    id === '@original' || id === original?.id
      ? original
      : interaction.followUps.find((followUp) => followUp.id === id);
  if (!message || !interaction.channel.messages.has(message.id)) throw refusals.unknownMessage();
  return message;
}

function followUp(request: RestRequest) {
  const { state, uploads } = request;
  const interaction = ofPath(request);
  const body = objectBody(request);
  const { original } = interaction;
  // The first follow-up of a deferral takes the placeholder's place (Discord: Followup Messages).
  if (original && original.flags & messageFlag.loading && interaction.channel.messages.has(original.id)) {
    const message = editMessage(state, original, body, uploads);
    interaction.settle.answered();
    return ok(messageJson(state, message));
  }
  const message = sendMessage(state, interaction.channel, {
    body,
    uploads,
    interaction: interactionOf(interaction),
    visibleTo: isEphemeral(body['flags']) ? interaction.user.id : null,
    referenceId: original?.id ?? null,
  });
  interaction.followUps.push(message);
  interaction.settle.answered();
  return ok(messageJson(state, message));
}

const base = '/webhooks/:application/:token';

/** Edits of an interaction's answer, and what follows it; the interaction's token is the password. */
export const webhookRoutes: Route[] = [
  { method: 'POST', path: base, open: true, handle: followUp },
  {
    method: 'GET',
    path: `${base}/messages/:message`,
    open: true,
    handle: (request) => ok(messageJson(request.state, messageOf(request, ofPath(request)))),
  },
  {
    method: 'PATCH',
    path: `${base}/messages/:message`,
    open: true,
    handle: (request) => {
      const interaction = ofPath(request);
      const edited = editMessage(
        request.state,
        messageOf(request, interaction),
        objectBody(request),
        request.uploads,
      );
      interaction.settle.answered();
      return ok(messageJson(request.state, edited));
    },
  },
  {
    method: 'DELETE',
    path: `${base}/messages/:message`,
    open: true,
    handle: (request) => {
      const interaction = ofPath(request);
      const message = messageOf(request, interaction);
      deleteMessage(request.state, message);
      // Without its placeholder, a deferral is answered by a follow-up.
      if (!(message.flags & messageFlag.loading)) interaction.settle.answered();
      return noContent;
    },
  },
];
