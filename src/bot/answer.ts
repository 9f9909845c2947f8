import type { Logger } from 'pino';
import type { Reply } from '../commands/command.ts';
import { privateReply } from '../commands/replies.ts';
import { errorEmbed, failureEmbed } from '../embeds/failure.ts';
import type { Language } from '../locales/language.ts';
import { createAcknowledgement, type AnswerableInteraction, type AnswerMode } from './acknowledgement.ts';
import { loggable } from './discord-error.ts';
import { within } from './time-limit.ts';

export interface AnswerOptions {
  log: Logger;
  now: () => number;
  /** An answer that takes longer is deferred; Discord waits 3000. */
  deferAfterMs: number;
  /** Bound on one answer; Discord takes it for 15 minutes. */
  answerWithinMs: number;
}

export interface AnswerRequest {
  mode: AnswerMode;
  language: Language;
  /** The command, for the log. */
  command: string;
  /** Finds the answer. What it rejects with is told to the member in words. */
  work(): Promise<Reply>;
}

/** Answers one interaction, acknowledging exactly once and in time, whatever the work comes to. Never rejects. */
export type Answer = (interaction: AnswerableInteraction, question: AnswerRequest) => Promise<void>;

export function createAnswer({ log, now, deferAfterMs, answerWithinMs }: AnswerOptions): Answer {
  const failed = (error: unknown, doing: string): void => {
    log.warn({ error: loggable(error) }, `${doing} an interaction failed`);
  };

  async function replyOf({ work, language, command }: AnswerRequest): Promise<Reply> {
    try {
      const reply = await within(work(), answerWithinMs);
      if (reply !== 'late') return reply;
      log.warn({ command }, 'a command took too long');
      return privateReply(failureEmbed(language, 'waitTitle', [language.t('failure.timeout')]));
    } catch (error) {
      log.warn({ command, error: loggable(error) }, 'a command failed');
      return privateReply(errorEmbed(language, error, { now: now() }));
    }
  }

  return async (interaction, question) => {
    const { language, mode } = question;
    const acknowledgement = createAcknowledgement(interaction, mode, failed);
    const timer = setTimeout(acknowledgement.defer, deferAfterMs);
    const reply = await replyOf(question).finally(() => clearTimeout(timer));
    try {
      await acknowledgement.send(reply);
    } catch (error) {
      failed(error, 'answering');
      const apology = failureEmbed(language, 'title', [language.t('failure.internal')]);
      await acknowledgement.sendFailure(privateReply(apology));
    }
  };
}
