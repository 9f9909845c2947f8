import { type Choice, type Json, messageFlag } from '../discord-types.ts';
import { DiscordError, FormCheck, invalidForm, refusals } from '../errors.ts';
import { interactionOf, interactionType, viewerOf } from '../interactions.ts';
import type { Acknowledgement, Interaction } from '../interactions.ts';
import { editMessage, sendLoading, sendMessage } from '../state/messages.ts';
import { messageJson } from '../wire.ts';
import { noContent, ok, param, type RestRequest, type Routes } from './router.ts';

const { command, component, autocomplete } = interactionType;

/** Callback types (Discord: Interaction Callback Type) and the interactions that may be answered so. */
const callbacks: Record<number, { name: Acknowledgement; answers: readonly number[] }> = {
  4: { name: 'message', answers: [command, component] },
  5: { name: 'deferredMessage', answers: [command, component] },
  6: { name: 'deferredUpdate', answers: [component] },
  7: { name: 'update', answers: [component] },
  8: { name: 'choices', answers: [autocomplete] },
};

const textOption = 3;

function readChoices({ focusedType }: Interaction, raw: unknown): Choice[] {
  const check = new FormCheck();
  const choices = Array.isArray(raw) ? (raw as Choice[]) : [];
  for (const [index, { value }] of choices.entries()) {
    if (focusedType === textOption || typeof value === 'number') continue;
    const fault = ['NUMBER_TYPE_COERCE', `Value "${typeof value}" is not a number.`] as const;
    check.fault(['choices', index, 'value'], fault);
  }
  check.done();
  return choices;
}

/** Error paths of a callback's message start with `data`. */
function within<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof DiscordError) || error.faults.length === 0) throw error;
    throw invalidForm(...error.faults.map(({ path, fault }) => ({ path: ['data', ...path], fault })));
  }
}

function answer(request: RestRequest, interaction: Interaction, name: Acknowledgement, data: Json): void {
  const { state, uploads } = request;
  const { channel } = interaction;
  const visibleTo = viewerOf(interaction, data['flags']);
  const about = interactionOf(interaction);
  const referenceId = interaction.source?.id ?? null;
  switch (name) {
    case 'message': {
      const sending = { body: data, uploads, interaction: about, visibleTo, referenceId };
      interaction.original = within(() => sendMessage(state, channel, sending));
      break;
    }
    case 'deferredMessage':
      interaction.original = sendLoading(state, channel, visibleTo, about);
      break;
    case 'deferredUpdate':
      interaction.original = interaction.source ?? null;
      break;
    case 'update': {
      const { source } = interaction;
      if (!source || !channel.messages.has(source.id)) throw refusals.unknownMessage();
      interaction.original = within(() => editMessage(state, source, data, uploads));
      break;
    }
    case 'choices':
      interaction.choices = within(() => readChoices(interaction, data['choices']));
  }
}

/** The acknowledgement of an interaction, within its 3 s and once. */
export const callbackRoutes: Routes = {
  'POST /interactions/:interaction/:token/callback': (request) => {
    const { state, interactions, body } = request;
    const interaction = interactions.forCallback(param(request, 'interaction'), param(request, 'token'));
    if (interaction.acknowledgement !== null) throw refusals.alreadyAcknowledged();
    const callback = callbackOf(interaction, body['type']);
    answer(request, interaction, callback.name, (body['data'] ?? {}) as Json);
    interaction.acknowledgement = callback.name;
    interaction.acknowledgedAfterMs = state.now() - interaction.createdAt;
    interaction.acknowledged.resolve();
    if (!callback.name.startsWith('deferred')) interaction.answered.resolve();
    if (request.query.get('with_response') !== 'true') return noContent;
    const { id, type, original } = interaction;
    if (!original) return ok({ interaction: { id, type } });
    return ok({
      interaction: {
        id,
        type,
        response_message_id: original.id,
        response_message_loading: (original.flags & messageFlag.loading) !== 0,
        response_message_ephemeral: original.visibleTo !== null,
      },
      resource: { type: Number(body['type']), message: messageJson(state, original) },
    });
  },
};

/** @throws DiscordError 50035 for a type with which this interaction cannot be answered */
function callbackOf({ type }: Interaction, asked: unknown): (typeof callbacks)[number] {
  const callback = callbacks[Number(asked)];
  if (callback?.answers.includes(type)) return callback;
  const possible = Object.keys(callbacks).filter((one) => callbacks[Number(one)]?.answers.includes(type));
  const message = `Value must be one of {${possible.join(', ')}}.`;
  throw invalidForm({ path: ['type'], fault: ['BASE_TYPE_CHOICES', message] });
}
