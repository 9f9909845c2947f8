import type {
  AutocompleteInteraction,
  ChatInputCommandInteraction,
  Interaction,
  MessageComponentInteraction,
  ModalSubmitInteraction,
} from 'discord.js';
import type { Logger } from 'pino';
import type { Client } from '../api/client-types.ts';
import type { Caller } from '../api/request-budget.ts';
import type { Clock } from '../process/clock.ts';
import type { Choice } from '../commands/choices.ts';
import type { CommandContext, Reply, Visibility } from '../commands/command.ts';
import { commandNamed } from '../commands/index.ts';
import { createAutocompleteCache } from '../commands/autocomplete-cache.ts';
import { mayShare, refusalFor, type Sharing } from '../commands/permission.ts';
import type { Ports } from '../commands/ports.ts';
import { privateReply } from '../commands/replies.ts';
import { failureEmbed } from '../embeds/failure.ts';
import { relative } from '../embeds/timestamps.ts';
import { languageOf } from '../locales/language.ts';
import { acknowledgeWithinMs, type AnswerableInteraction } from './acknowledgement.ts';
import { createAnswer, type AnswerOptions, type AnswerRequest } from './answer.ts';
import { askerOf, valuesOf } from './asker.ts';
import { loggable } from './loggable.ts';
import { createMemberAllowance, type AllowanceRate } from './member-allowance.ts';
import { requestOf, type ButtonOwners, type BaseContext } from './component-interaction.ts';
import { modalOf, submissionOf } from './form.ts';
import { retryDuringOutage } from './retry.ts';
import { within } from './time-limit.ts';
import { createFairQueue, type QueueBounds } from './fair-queue.ts';

/** The owner's settings for answers. */
export interface AnswerSettings {
  /** Visibility of answers by command name. Default: the command's own. */
  answers?: Readonly<Partial<Record<string, Visibility>>> | undefined;
  /** Default: who asked. */
  buttons?: ButtonOwners | undefined;
  /** Default: moderators. */
  sharing?: Sharing | undefined;
}

export interface DispatchOptions extends Clock {
  clientAs: (caller: Caller) => Client;
  ports?: Ports | undefined;
  settings?: AnswerSettings | undefined;
  /** Whether a guild is a home guild; see `home-guilds.ts`. */
  isHome: (guildId: string) => boolean;
  log: Logger;
  /** See `AnswerOptions`. Default 600. */
  deferAfterMs?: AnswerOptions['deferAfterMs'] | undefined;
  /** See `AnswerOptions`. Default 60 s. */
  answerWithinMs?: AnswerOptions['answerWithinMs'] | undefined;
  /** Limit for an autocompletion, which cannot be deferred. Default 1500. */
  completeWithinMs?: number | undefined;
  /** Commands, buttons and menus per member. Default: 20 at once and one more per second. */
  memberRate?: AllowanceRate | undefined;
  /** Autocompletions per member. Discord sends one for each keystroke. Default: 60 at once and five per second. */
  completionRate?: AllowanceRate | undefined;
  /** Limits of concurrent and waiting answers. */
  queueBounds?: Omit<QueueBounds, 'longestMs'> | undefined;
}

/** Enough for a whole guild at once. Beyond that, asking again is better than waiting. */
const defaultQueueBounds = { atOnce: 40, perMember: 2, waiting: 500 } as const;
/** When to try again while the queue is full. */
const busyMs = 5_000;

export interface Dispatch {
  /**
   * Answers an interaction. Never throws, never leaves a rejection.
   * @param replayed whether another process may have answered it already
   */
  handle(interaction: Interaction, replayed?: boolean): void;
  /** Waits until everything in flight is answered, or for `ms` at most. */
  settle(ms: number): Promise<void>;
}

/** Routes each interaction to its command and sends the answer. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const { clientAs, log, now, monotonic, ports = {}, settings = {} } = options;
  const { isHome, completeWithinMs = 1500, deferAfterMs = 600, answerWithinMs = 60_000 } = options;
  const answer = createAnswer({ log, now, deferAfterMs, answerWithinMs });
  const cache = createAutocompleteCache(clientAs('background'), monotonic, ports);
  const { memberRate = { burst: 20, everyMs: 1_000 }, completionRate = { burst: 60, everyMs: 200 } } =
    options;
  const allowance = createMemberAllowance(memberRate, monotonic);
  const completions = createMemberAllowance(completionRate, monotonic);
  const queue = createFairQueue({
    ...(options.queueBounds ?? defaultQueueBounds),
    longestMs: answerWithinMs,
  });
  const running = new Set<Promise<void>>();

  const baseContextOf = (interaction: AnswerableInteraction | AutocompleteInteraction): BaseContext => {
    const asker = askerOf(interaction, isHome);
    return {
      client: clientAs(`member:${asker.userId}`),
      ports,
      now: now(),
      language: languageOf(interaction.locale),
      asker,
      mayShare: mayShare(asker, settings.sharing ?? 'moderators'),
    };
  };

  function contextOf(
    interaction: ChatInputCommandInteraction | AutocompleteInteraction,
    visibility: Visibility,
  ): CommandContext {
    return {
      ...baseContextOf(interaction),
      options: valuesOf(interaction.options.data),
      ownerId: interaction.user.id,
      visibility,
      pressed: false,
    };
  }

  /** Queues a request fairly among members. A member beyond the limits gets a refusal at once. */
  function queued({ work, ...request }: AnswerRequest, userId: string): AnswerRequest {
    const { language } = request;
    const later = (text: 'tooFast' | 'busy', waitMs: number): Reply =>
      privateReply(
        failureEmbed(language, 'waitTitle', [
          language.t(`failure.${text}`, { when: relative(now() + waitMs + 999) }),
        ]),
      );
    return {
      ...request,
      async work() {
        const waitMs = allowance.take(userId);
        if (waitMs > 0) return later('tooFast', waitMs);
        return await (queue.run(userId, work) ?? later('busy', busyMs));
      },
    };
  }

  async function command(interaction: ChatInputCommandInteraction, replayed: boolean): Promise<void> {
    const { commandName: name } = interaction;
    const asked = commandNamed(name);
    if (asked === null) return await refuse(interaction, 'unknownCommand');
    const visibility = settings.answers?.[name] ?? asked.visibility(valuesOf(interaction.options.data));
    const context = contextOf(interaction, visibility);
    const { language } = context;
    const form = refusalFor(asked, context.asker, language) === null ? asked.form?.(context) : null;
    if (form && allowance.take(interaction.user.id) === 0) {
      const opening = () => interaction.showModal(modalOf(form));
      return await retryDuringOutage(opening, performance.now() + acknowledgeWithinMs);
    }
    const work = async () => refusalFor(asked, context.asker, language) ?? (await asked.run(context));
    const request = { mode: visibility, language, command: name, work, replayed };
    await answer(interaction, queued(request, interaction.user.id));
  }

  async function press(interaction: MessageComponentInteraction, replayed: boolean): Promise<void> {
    const buttons = settings.buttons ?? 'asker';
    const request = { ...requestOf(interaction, baseContextOf(interaction), buttons), replayed };
    await answer(interaction, queued(request, interaction.user.id));
  }

  async function submit(interaction: ModalSubmitInteraction, replayed: boolean): Promise<void> {
    const request = { ...submissionOf(interaction, baseContextOf(interaction)), replayed };
    await answer(interaction, queued(request, interaction.user.id));
  }

  async function refuse(interaction: AnswerableInteraction, text: 'unknownCommand'): Promise<void> {
    const language = languageOf(interaction.locale);
    const embed = failureEmbed(language, 'title', [language.t(`failure.${text}`)]);
    await answer(interaction, {
      mode: 'private',
      language,
      command: '',
      work: async () => privateReply(embed),
    });
  }

  async function complete(interaction: AutocompleteInteraction): Promise<void> {
    const asked = commandNamed(interaction.commandName);
    const focused = interaction.options.getFocused(true);
    const context = contextOf(interaction, 'private');
    const none: Choice[] = [];
    const isTooFast = completions.take(interaction.user.id) > 0;
    const refused =
      isTooFast || asked === null || refusalFor(asked, context.asker, context.language) !== null;
    const completing = refused
      ? undefined
      : asked.autocomplete?.({ ...context, cache, focused: { name: focused.name, value: focused.value } });
    const choices = await within(completing ?? Promise.resolve(none), completeWithinMs);
    await interaction.respond(choices === 'late' ? none : choices);
  }

  async function route(interaction: Interaction, replayed: boolean): Promise<void> {
    if (interaction.isAutocomplete()) await (replayed ? undefined : complete(interaction));
    else if (interaction.isChatInputCommand()) await command(interaction, replayed);
    else if (interaction.isMessageComponent()) await press(interaction, replayed);
    else if (interaction.isCommand()) await refuse(interaction, 'unknownCommand');
    else if (interaction.isModalSubmit()) await submit(interaction, replayed);
  }

  return {
    handle(interaction, replayed = false) {
      const work = route(interaction, replayed)
        .catch((error: unknown) => {
          log.warn({ error: loggable(error) }, 'handling an interaction failed');
        })
        .finally(() => running.delete(work));
      running.add(work);
    },
    async settle(ms) {
      await within(Promise.allSettled(running), ms);
    },
  };
}
