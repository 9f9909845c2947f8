import { MessageFlags, type InteractionReplyOptions, type RepliableInteraction } from 'discord.js';
import type { Reply, Visibility } from '../commands/command.ts';
import { discordCode, discordErrors } from './discord-error.ts';

/** Nobody is ever pinged by an answer. Edits parse mentions anew, so every body says it. */
export const noMentions = { parse: [] };

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

function bodyOf(reply: Reply, visibility: Visibility): InteractionReplyOptions {
  const hidden = visibility === 'private' || reply.visibility === 'private';
  return {
    embeds: reply.embeds,
    allowedMentions: noMentions,
    ...(hidden && { flags: MessageFlags.Ephemeral }),
  };
}

export function createAcknowledgement(
  interaction: RepliableInteraction,
  visibility: Visibility,
  onError: (error: unknown, doing: string) => void,
): Acknowledgement {
  /** What the deferral came to: it is acknowledged, too late, or unknown (no answer from Discord). */
  let deferral: Promise<'acknowledged' | 'late' | 'unknown'> | null = null;

  const editBody = (reply: Reply) => ({ embeds: reply.embeds, allowedMentions: noMentions });

  return {
    defer() {
      deferral ??= interaction
        .deferReply(visibility === 'private' ? { flags: MessageFlags.Ephemeral } : {})
        .then(
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
      const edit = async (): Promise<void> => {
        // discord.js edits only what it knows to be deferred.
        interaction.deferred = true;
        await interaction.editReply(editBody(reply));
      };
      try {
        if (state === 'acknowledged') await edit();
        else await interaction.reply(bodyOf(reply, visibility));
        return true;
      } catch (error) {
        const code = discordCode(error);
        // The deferral came through after all, only its answer was lost.
        if (code === discordErrors.alreadyAcknowledged && state === 'unknown') {
          await edit();
          return true;
        }
        if (code !== discordErrors.unknownInteraction && code !== discordErrors.alreadyAcknowledged)
          throw error;
        onError(error, 'answering');
        return false;
      }
    },
    async sendFailure(reply) {
      try {
        if (interaction.replied) {
          await interaction.followUp(bodyOf({ ...reply, visibility: 'private' }, visibility));
        } else if (interaction.deferred) {
          await interaction.editReply(editBody(reply));
        } else {
          await interaction.reply(bodyOf({ ...reply, visibility: 'private' }, visibility));
        }
      } catch (error) {
        onError(error, 'telling of a failure');
      }
    },
  };
}
