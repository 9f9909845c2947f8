import type {
  AutocompleteInteraction,
  ChatInputCommandInteraction,
  Interaction,
  MessageComponentInteraction,
  ModalSubmitInteraction,
} from 'discord.js';
import type { Logger } from 'pino';
import type { Clock } from '../process/clock.ts';
import type { Choice } from '../commands/choices.ts';
import type { CommandContext, Reply, Visibility } from '../commands/command.ts';
import { commandNamed } from '../commands/index.ts';
import { type AutocompleteCache, createAutocompleteCache } from '../commands/autocomplete-cache.ts';
import { mayShare, refusalFor, type Sharing } from '../commands/permission.ts';
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
import type { BotProject } from './shown-project.ts';
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
  /** The project that a guild shows; null: none. */
  projectOf: (guildId: string | null) => BotProject | null;
  /** Read at each interaction, because it may change. */
  settings?: (() => AnswerSettings) | undefined;
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
  const { projectOf, log, now, monotonic, settings = (): AnswerSettings => ({}) } = options;
  const { isHome, completeWithinMs = 1500, deferAfterMs = 600, answerWithinMs = 60_000 } = options;
  const answer = createAnswer({ log, now, deferAfterMs, answerWithinMs });
  const caches = new WeakMap<BotProject, AutocompleteCache>();
  const cacheOf = (project: BotProject): AutocompleteCache => {
    let cache = caches.get(project);
    if (cache === undefined) {
      cache = createAutocompleteCache(project.clientAs('background'), monotonic, project.ports);
      caches.set(project, cache);
    }
    return cache;
  };
  const { memberRate = { burst: 20, everyMs: 1_000 }, completionRate = { burst: 60, everyMs: 200 } } =
    options;
  const allowance = createMemberAllowance(memberRate, monotonic);
  const completions = createMemberAllowance(completionRate, monotonic);
  const queue = createFairQueue({
    ...(options.queueBounds ?? defaultQueueBounds),
    longestMs: answerWithinMs,
  });
  const running = new Set<Promise<void>>();

  const baseContextOf = (
    interaction: AnswerableInteraction | AutocompleteInteraction,
    { clientAs, ports }: BotProject,
  ): BaseContext => {
    const asker = askerOf(interaction, isHome);
    return {
      client: clientAs(`member:${asker.userId}`),
      ports,
      now: now(),
      language: languageOf(interaction.locale),
      asker,
      mayShare: mayShare(asker, settings().sharing ?? 'moderators'),
    };
  };

  function contextOf(
    interaction: ChatInputCommandInteraction | AutocompleteInteraction,
    project: BotProject,
    visibility: Visibility,
  ): CommandContext {
    return {
      ...baseContextOf(interaction, project),
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

  async function command(
    interaction: ChatInputCommandInteraction,
    project: BotProject,
    replayed: boolean,
  ): Promise<void> {
    const { commandName: name } = interaction;
    const asked = commandNamed(name);
    if (asked === null) return await refuse(interaction, 'unknownCommand');
    const visibility = settings().answers?.[name] ?? asked.visibility(valuesOf(interaction.options.data));
    const context = contextOf(interaction, project, visibility);
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

  async function press(
    interaction: MessageComponentInteraction,
    project: BotProject,
    replayed: boolean,
  ): Promise<void> {
    const buttons = settings().buttons ?? 'asker';
    const request = { ...requestOf(interaction, baseContextOf(interaction, project), buttons), replayed };
    await answer(interaction, queued(request, interaction.user.id));
  }

  async function submit(
    interaction: ModalSubmitInteraction,
    project: BotProject,
    replayed: boolean,
  ): Promise<void> {
    const request = { ...submissionOf(interaction, baseContextOf(interaction, project)), replayed };
    await answer(interaction, queued(request, interaction.user.id));
  }

  async function refuse(
    interaction: AnswerableInteraction,
    text: 'unknownCommand' | 'noProject',
  ): Promise<void> {
    const language = languageOf(interaction.locale);
    const embed = failureEmbed(language, 'title', [language.t(`failure.${text}`)]);
    await answer(interaction, {
      mode: 'private',
      language,
      command: '',
      work: async () => privateReply(embed),
    });
  }

  async function complete(interaction: AutocompleteInteraction, project: BotProject): Promise<void> {
    const asked = commandNamed(interaction.commandName);
    const focused = interaction.options.getFocused(true);
    const context = contextOf(interaction, project, 'private');
    const none: Choice[] = [];
    const isTooFast = completions.take(interaction.user.id) > 0;
    const refused =
      isTooFast || asked === null || refusalFor(asked, context.asker, context.language) !== null;
    const completing = refused
      ? undefined
      : asked.autocomplete?.({
          ...context,
          cache: cacheOf(project),
          focused: { name: focused.name, value: focused.value },
        });
    const choices = await within(completing ?? Promise.resolve(none), completeWithinMs);
    await interaction.respond(choices === 'late' ? none : choices);
  }

  async function route(interaction: Interaction, replayed: boolean): Promise<void> {
    const project = projectOf(interaction.guildId);
    if (project === null) {
      if (interaction.isAutocomplete()) await (replayed ? undefined : interaction.respond([]));
      else if (interaction.isCommand() || interaction.isMessageComponent() || interaction.isModalSubmit())
        await refuse(interaction, 'noProject');
    } else if (interaction.isAutocomplete()) {
      await (replayed ? undefined : complete(interaction, project));
    } else if (interaction.isChatInputCommand()) await command(interaction, project, replayed);
    else if (interaction.isMessageComponent()) await press(interaction, project, replayed);
    else if (interaction.isCommand()) await refuse(interaction, 'unknownCommand');
    else if (interaction.isModalSubmit()) await submit(interaction, project, replayed);
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
