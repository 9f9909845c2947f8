import { type Message, messageFlag } from '../discord-types.ts';
import { refusals } from '../errors.ts';
import { type Interaction, interactionOf, viewerOf } from '../interactions.ts';
import { deleteMessage, editMessage, sendMessage } from '../state/messages.ts';
import { messageJson } from '../wire.ts';
import { noContent, ok, param, type RestAnswer, type RestRequest, type Routes } from './router.ts';

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

function followUp(request: RestRequest): RestAnswer {
  const { state, uploads, body } = request;
  const interaction = ofPath(request);
  const { original, channel } = interaction;
  // The first follow-up of a deferral takes the placeholder's place (Discord: Followup Messages).
  if (original && original.flags & messageFlag.loading && channel.messages.has(original.id)) {
    return edit(request, interaction, original);
  }
  const message = sendMessage(state, channel, {
    body,
    uploads,
    interaction: interactionOf(interaction),
    visibleTo: viewerOf(interaction, body['flags']),
    referenceId: original?.id ?? null,
  });
  interaction.followUps.push(message);
  interaction.answered.resolve();
  return ok(messageJson(state, message));
}

function edit({ state, body, uploads }: RestRequest, interaction: Interaction, message: Message): RestAnswer {
  const edited = editMessage(state, message, body, uploads);
  interaction.answered.resolve();
  return ok(messageJson(state, edited));
}

/** Edits of an interaction's answer, and what follows it; the interaction's token is the password. */
export const webhookRoutes: Routes = {
  'POST /webhooks/:application/:token': followUp,
  'GET /webhooks/:application/:token/messages/:message': (request) =>
    ok(messageJson(request.state, messageOf(request, ofPath(request)))),
  'PATCH /webhooks/:application/:token/messages/:message': (request) => {
    const interaction = ofPath(request);
    return edit(request, interaction, messageOf(request, interaction));
  },
  'DELETE /webhooks/:application/:token/messages/:message': (request) => {
    const interaction = ofPath(request);
    const message = messageOf(request, interaction);
    deleteMessage(request.state, message);
    // Without its placeholder, a deferral is answered by a follow-up.
    if (!(message.flags & messageFlag.loading)) interaction.answered.resolve();
    return noContent;
  },
};
