import { MessageFlags } from 'discord.js';
import type { Reply } from '../../commands/command.ts';
import { failureReply, privateReply } from '../../commands/replies.ts';
import { errorEmbed } from '../../embeds/failure.ts';
import type { Language } from '../../locales/language.ts';
import { within } from '../../process/time-limit.ts';
import type { BotContext } from '../bot-options.ts';
import type { NamingMessage } from '../bot-records.ts';
import { failureLevel, loggable } from '../loggable.ts';
import {
  contentOf,
  createAcknowledgement,
  type AnswerableInteraction,
  type AnswerMode,
} from './acknowledgement.ts';
import type { RefreshedAnswers } from './refreshed-answers.ts';

interface AnswerOptions extends Pick<BotContext, 'log' | 'now' | 'deferAfterMs' | 'answerWithinMs'> {
  /** Called after an answer that everyone sees and that names players by pictures, which no later edit of it removes. */
  onNames: (message: NamingMessage) => Promise<void>;
  refreshed: RefreshedAnswers;
}

export interface AnswerRequest {
  mode: AnswerMode;
  language: Language;
  /** The command's name, for the log. */
  command: string;
  /** Produces the answer. If it rejects, the member gets the error as a readable message. */
  work(): Promise<Reply>;
}

/** Answers one interaction and acknowledges it exactly once and in time. Never rejects. */
export type Answer = (interaction: AnswerableInteraction, request: AnswerRequest) => Promise<void>;

export function createAnswer(options: AnswerOptions): Answer {
  const { log, now, deferAfterMs, answerWithinMs, onNames, refreshed } = options;
  const failed = (error: unknown, doing: string): void => {
    log.warn({ error: loggable(error) }, `${doing} an interaction failed`);
  };

  async function replyOf({ work, language, command }: AnswerRequest): Promise<Reply> {
    try {
      const reply = await within(work(), answerWithinMs);
      if (reply !== 'late') return reply;
      log.warn({ command }, 'a command timed out');
      return failureReply(language, 'waitTitle', language.t('failure.timeout'));
    } catch (error) {
      log[failureLevel(error)]({ command, error: loggable(error) }, 'a command failed');
      return privateReply(errorEmbed(language, error, { now: now() }));
    }
  }

  /** The answer of a button or menu is an edit of its own message, or a new message. */
  async function rememberNames(
    interaction: AnswerableInteraction,
    mode: AnswerMode,
    { players, visibility }: Reply,
  ): Promise<void> {
    const { guildId, channelId } = interaction;
    const isUpdate = mode === 'update' && interaction.isMessageComponent();
    const isPrivate = isUpdate ? interaction.message.flags.has(MessageFlags.Ephemeral) : mode === 'private';
    if (players === undefined || isPrivate || visibility === 'private') return;
    if (guildId === null || channelId === null) return;
    try {
      const { id: messageId } = await interaction.fetchReply();
      await onNames({ channelId, messageId, players, forModerators: false });
    } catch (error) {
      failed(error, 'remembering the names in');
    }
  }

  return async (interaction, request) => {
    const { language, mode, command } = request;
    const acknowledgement = createAcknowledgement(interaction, mode, failed);
    const timer = setTimeout(acknowledgement.defer, deferAfterMs);
    const reply = await replyOf(request).finally(() => clearTimeout(timer));
    try {
      if (!(await acknowledgement.send(reply))) return;
      refreshed.follow({
        userId: interaction.user.id,
        command,
        first: reply,
        edit: async (next) => await interaction.editReply(contentOf(next)),
      });
      await rememberNames(interaction, mode, reply);
    } catch (error) {
      failed(error, 'answering');
      await acknowledgement
        .send(failureReply(language, 'title', language.t('failure.internal')))
        .catch((another: unknown) => failed(another, 'reporting a failure in'));
    }
  };
}
