import {
  RESTJSONErrorCodes as ErrorCodes,
  MessageFlags,
  type CommandInteraction,
  type InteractionReplyOptions,
  type MessageComponentInteraction,
} from 'discord.js';
import type { Reply } from '../../commands/command.ts';
import type { Visibility } from '../../commands/visibilities.ts';
import { discordCode } from '../discord-error.ts';
import { acknowledgeWithinMs, editWithinMs } from '../limits.ts';
import { retryDuringOutage } from '../retry.ts';

/** Answers never ping anyone. Discord parses mentions again on each edit, so every body carries this. */
export const noMentions = { parse: [] };

/** `update` changes the message of the component; the others send a new message. */
export type AnswerMode = 'update' | Visibility;

export type AnswerableInteraction = CommandInteraction | MessageComponentInteraction;

/** A complete message body: an edit with it also removes earlier buttons and files. */
export function contentOf({ embeds, components = [], files = [] }: Reply) {
  return {
    embeds,
    components,
    files: files.map(({ name, data, alt = '' }) => ({
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

/**
 * The one acknowledgement that an interaction may have, and the answer that follows it. It is
 * - open: nothing was sent;
 * - acknowledged: Discord has a deferral, and the answer is an edit of it;
 * - late: Discord takes no answer any more; or
 * - unknown: the response to the deferral was lost, so that it is open or acknowledged.
 */
export function createAcknowledgement(
  interaction: AnswerableInteraction,
  mode: AnswerMode,
  onError: (error: unknown, doing: string) => void,
) {
  const acknowledgeUntil = performance.now() + acknowledgeWithinMs;
  /** The outcome of a deferral; null: none was sent. */
  let deferral: Promise<'acknowledged' | 'late' | 'unknown'> | null = null;
  /** The component's message. Private replies do not go into it. */
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
    // discord.js refuses to edit unless this is set.
    interaction.deferred = true;
    const until = performance.now() + editWithinMs;
    // The edit of a public deferral is public, whatever the answer asks for.
    const isRevealing = mode === 'public' && reply.visibility === 'private';
    if (isRevealing) await retryDuringOutage(() => interaction.deleteReply(), until);
    const attempt = () =>
      isRevealing || isAside(reply)
        ? interaction.followUp(newOf(reply, mode))
        : interaction.editReply(contentOf(reply));
    await retryDuringOutage(attempt, until);
  }

  return {
    /** Defers the answer. Sends at most once. Never rejects. */
    defer(): void {
      deferral ??= sendDeferral().then(
        () => 'acknowledged',
        (error: unknown) => {
          onError(error, 'deferring');
          const code = discordCode(error);
          if (code === ErrorCodes.UnknownInteraction) return 'late';
          // An earlier attempt succeeded, but its response was lost.
          return code === ErrorCodes.InteractionHasAlreadyBeenAcknowledged ? 'acknowledged' : 'unknown';
        },
      );
    },
    /**
     * Edits the deferral if there was one, otherwise replies. False: the interaction can no longer be answered.
     * @throws Discord's error when another answer may still be accepted.
     */
    async send(reply: Reply): Promise<boolean> {
      const state = deferral === null ? 'open' : await deferral;
      if (state === 'late') return false;
      try {
        await (state === 'acknowledged' ? afterDeferral(reply) : first(reply));
        return true;
      } catch (error) {
        const code = discordCode(error);
        // The deferral succeeded, but its response was lost.
        if (code === ErrorCodes.InteractionHasAlreadyBeenAcknowledged && state === 'unknown') {
          await afterDeferral(reply);
          return true;
        }
        // The member dismissed the deferral.
        const dismissed = code === ErrorCodes.UnknownMessage && state === 'acknowledged';
        const over =
          code === ErrorCodes.UnknownInteraction || code === ErrorCodes.InteractionHasAlreadyBeenAcknowledged;
        if (!dismissed && !over) throw error;
        onError(error, 'answering');
        return false;
      }
    },
  };
}
