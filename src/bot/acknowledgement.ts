import {
  MessageFlags,
  type CommandInteraction,
  type InteractionReplyOptions,
  type MessageComponentInteraction,
  type ModalSubmitInteraction,
} from 'discord.js';
import type { Reply, Visibility } from '../commands/command.ts';
import { discordCode, discordErrors } from './discord-error.ts';
import { retryDuringOutage } from './retry.ts';

/** Discord waits 3 s for an acknowledgement, and some of them are its own. */
const acknowledgeWithinMs = 2_700;
/** How long an answer after a deferral is worth trying; Discord takes it for 15 minutes, but who still waits? */
const editWithinMs = 5 * 60_000;

/** Nobody is ever pinged by an answer. Edits parse mentions anew, so every body says it. */
export const noMentions = { parse: [] };

/** How an interaction is answered: by a new message, or by changing the one on which a component was used. */
export type AnswerMode = 'update' | Visibility;

export type AnswerableInteraction = CommandInteraction | MessageComponentInteraction | ModalSubmitInteraction;

/** The one acknowledgement that an interaction may have, and the answer that follows it. */
export interface Acknowledgement {
  /** Tells Discord that the answer takes longer. Never rejects; sends at most once. */
  defer(): void;
  /**
   * Answers: edits the deferral when there was one, otherwise replies. False when it is too late for any answer.
   * @throws what Discord refused, when the interaction can still be answered otherwise.
   */
  send(reply: Reply): Promise<boolean>;
  /** After a failure: replied → follow up, deferred → edit, else reply. The only place that does so. */
  sendFailure(reply: Reply): Promise<void>;
}

/** The whole of a message: what it held before goes, its buttons and files too. */
function contentOf(reply: Reply) {
  return {
    embeds: reply.embeds,
    components: reply.components ?? [],
    files: (reply.files ?? []).map(({ name, data, alt = '' }) => ({
      name,
      attachment: data,
      description: alt,
    })),
    allowedMentions: noMentions,
  };
}

function newOf(reply: Reply, mode: AnswerMode): InteractionReplyOptions {
  const hidden = mode === 'private' || reply.visibility === 'private';
  return { ...contentOf(reply), ...(hidden && { flags: MessageFlags.Ephemeral }) };
}

export function createAcknowledgement(
  interaction: AnswerableInteraction,
  mode: AnswerMode,
  onError: (error: unknown, doing: string) => void,
): Acknowledgement {
  const acknowledgeUntil = performance.now() + acknowledgeWithinMs;
  /** What the deferral came to: it is acknowledged, too late, or unknown (no answer from Discord). */
  let deferral: Promise<'acknowledged' | 'late' | 'unknown'> | null = null;
  /** The message on which a component was used; what is meant for one member does not belong into it. */
  const source = mode === 'update' && interaction.isMessageComponent() ? interaction : null;
  const isAside = (reply: Reply): boolean => source !== null && reply.visibility === 'private';

  async function sendDeferral(): Promise<void> {
    const flags = mode === 'private' ? { flags: MessageFlags.Ephemeral as const } : {};
    const attempt = () => (source === null ? interaction.deferReply(flags) : source.deferUpdate());
    await retryDuringOutage(attempt, acknowledgeUntil);
  }

  async function first(reply: Reply): Promise<void> {
    const attempt = () =>
      source === null || isAside(reply)
        ? interaction.reply(newOf(reply, mode))
        : source.update(contentOf(reply));
    await retryDuringOutage(attempt, acknowledgeUntil);
  }

  async function afterDeferral(reply: Reply): Promise<void> {
    // discord.js edits only what it knows to be deferred.
    interaction.deferred = true;
    if (isAside(reply)) await interaction.followUp(newOf(reply, mode));
    else
      await retryDuringOutage(
        () => interaction.editReply(contentOf(reply)),
        performance.now() + editWithinMs,
      );
  }

  return {
    defer() {
      deferral ??= sendDeferral().then(
        () => 'acknowledged',
        (error: unknown) => {
          onError(error, 'deferring');
          const code = discordCode(error);
          if (code === discordErrors.unknownInteraction) return 'late';
          // The first attempt came through although its answer did not.
          return code === discordErrors.alreadyAcknowledged ? 'acknowledged' : 'unknown';
        },
      );
    },
    async send(reply) {
      const state = deferral === null ? 'open' : await deferral;
      if (state === 'late') return false;
      try {
        await (state === 'acknowledged' ? afterDeferral(reply) : first(reply));
        return true;
      } catch (error) {
        const code = discordCode(error);
        // The deferral came through after all, only its answer was lost.
        if (code === discordErrors.alreadyAcknowledged && state === 'unknown') {
          await afterDeferral(reply);
          return true;
        }
        // Whoever deleted the deferral wants no answer in its place.
        const dismissed = code === discordErrors.unknownMessage && state === 'acknowledged';
        const over = code === discordErrors.unknownInteraction || code === discordErrors.alreadyAcknowledged;
        if (!dismissed && !over) throw error;
        onError(error, 'answering');
        return false;
      }
    },
    async sendFailure(reply) {
      const hidden: Reply = { ...reply, visibility: 'private' };
      try {
        if (interaction.replied) await interaction.followUp(newOf(hidden, mode));
        else if (interaction.deferred) await afterDeferral(hidden);
        else await interaction.reply(newOf(hidden, mode));
      } catch (error) {
        onError(error, 'telling of a failure');
      }
    },
  };
}
