import type {
  AutocompleteInteraction,
  ChatInputCommandInteraction,
  Interaction,
  MessageComponentInteraction,
} from 'discord.js';
import type { Logger } from 'pino';
import type { Clock } from '../../process/clock.ts';
import type { Choice } from '../../commands/choices.ts';
import type { CommandContext, Visibility } from '../../commands/command.ts';
import { commandNamed } from '../../commands/index.ts';
import type { Channels, Pictures } from '../../commands/ports/community.ts';
import { mayShare, refusalFor, type Sharing } from '../../commands/permission.ts';
import { privateReply, whoseBot } from '../../commands/replies.ts';
import { failureEmbed } from '../../embeds/failure.ts';
import { languageOf } from '../../locales/language.ts';
import type { AnswerableInteraction } from './acknowledgement.ts';
import { createAnswer, type Answer, type AnswerOptions } from './answer.ts';
import { askerOf, valuesOf } from './asker.ts';
import { loggable } from '../loggable.ts';
import { createMemberAllowance, type AllowanceRate, type MemberAllowance } from '../member-allowance.ts';
import { requestOf, type ButtonOwners, type BaseContext } from './component-interaction.ts';
import { MemberQueue, type MemberQueueOptions } from './member-queue.ts';
import { RefreshedAnswers } from './refreshed-answers.ts';
import type { ShownProject } from '../shown-project.ts';
import { within } from '../../process/time-limit.ts';

export interface AnswerSettings {
  /** Visibility of answers by command name. Default: the command's own. */
  answers?: Readonly<Partial<Record<string, Visibility>>> | undefined;
  /** Default: who asked. */
  buttons?: ButtonOwners | undefined;
  /** Default: moderators. */
  sharing?: Sharing | undefined;
}

export interface DispatchOptions extends Clock {
  channels: Channels;
  pictures: Pictures;
  /** The project that a guild shows; null: none. */
  projectOf: (guildId: string | null) => ShownProject | null;
  /** Read at each interaction, because it may change. */
  settings: () => AnswerSettings;
  isHome: (guildId: string) => boolean;
  log: Logger;
  onNames: AnswerOptions['onNames'];
  /** See `AnswerOptions`. Default 600. */
  deferAfterMs?: AnswerOptions['deferAfterMs'] | undefined;
  /** See `AnswerOptions`. Default 60 s. */
  answerWithinMs?: AnswerOptions['answerWithinMs'] | undefined;
  /** Limit for an autocompletion, which cannot be deferred. Default 1500. */
  completeWithinMs?: number | undefined;
  memberRate?: MemberQueueOptions['memberRate'];
  queueBounds?: MemberQueueOptions['queueBounds'];
  /** Autocompletions per member. Discord sends one for each keystroke. Default: 60 at once and five per second. */
  completionRate?: AllowanceRate | undefined;
}

/** Where commands run. */
interface Home {
  guildId: string;
  project: ShownProject;
}

/** Routes each interaction to its command and sends the answer. */
export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #answer: Answer;
  readonly #refreshed: RefreshedAnswers;
  readonly #members: MemberQueue;
  readonly #completions: MemberAllowance;
  readonly #running = new Set<Promise<void>>();

  constructor(options: DispatchOptions) {
    const { log, now, monotonic, deferAfterMs = 600, answerWithinMs = 60_000, onNames } = options;
    const { completionRate = { burst: 60, everyMs: 200 } } = options;
    this.#options = options;
    this.#refreshed = new RefreshedAnswers(now, (error) =>
      log.debug({ error: loggable(error) }, 'an answer could not be refreshed'),
    );
    const refreshed = this.#refreshed;
    this.#answer = createAnswer({ log, now, deferAfterMs, answerWithinMs, onNames, refreshed });
    this.#members = new MemberQueue({ ...options, longestMs: answerWithinMs });
    this.#completions = createMemberAllowance(completionRate, monotonic);
  }

  /** Answers an interaction. Never throws, never leaves a rejection. */
  handle(interaction: Interaction): void {
    const work = this.#route(interaction)
      .catch((error: unknown) => {
        this.#options.log.warn({ error: loggable(error) }, 'handling an interaction failed');
      })
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /** Waits until everything in flight is answered, or for `ms` at most. */
  async settle(ms: number): Promise<void> {
    this.#refreshed.stop();
    await within(Promise.allSettled(this.#running), ms);
  }

  async #route(interaction: Interaction): Promise<void> {
    const { guildId } = interaction;
    const project = this.#options.projectOf(guildId);
    const isHome = guildId !== null && this.#options.isHome(guildId);
    if (interaction.isAutocomplete()) {
      if (isHome && project !== null) await this.#complete(interaction, { guildId, project });
      else await interaction.respond([]);
    } else if (interaction.isCommand() || interaction.isMessageComponent()) {
      if (!isHome) await this.#sayWhoseBot(interaction, project);
      else if (project === null) await this.#refuse(interaction, 'noProject');
      else if (interaction.isChatInputCommand()) await this.#command(interaction, { guildId, project });
      else if (interaction.isMessageComponent()) await this.#press(interaction, { guildId, project });
      else await this.#refuse(interaction, 'unknownCommand');
    }
  }

  /** Outside home guilds, private messages included, nothing else is answered, whatever was asked. */
  async #sayWhoseBot(interaction: AnswerableInteraction, project: ShownProject | null): Promise<void> {
    const language = languageOf(interaction.locale);
    const { id } = interaction.user;
    const pageUrl = project?.community.pageUrl() ?? null;
    const work = async () => await whoseBot(language, project?.clientAs(`member:${id}`), pageUrl);
    await this.#answer(
      interaction,
      this.#members.queued({ mode: 'private', language, command: '', work }, id),
    );
  }

  async #command(interaction: ChatInputCommandInteraction, home: Home): Promise<void> {
    const { commandName: name, user } = interaction;
    const command = commandNamed(name);
    if (command === null) return await this.#refuse(interaction, 'unknownCommand');
    const visibility =
      this.#options.settings().answers?.[name] ?? command.visibility(valuesOf(interaction.options.data));
    const context = this.#contextOf(interaction, home, visibility);
    const { language } = context;
    const work = async () => refusalFor(command, context, context.options) ?? (await command.run(context));
    const request = { mode: visibility, language, command: name, work };
    await this.#answer(interaction, this.#members.queued(request, user.id));
  }

  async #press(interaction: MessageComponentInteraction, home: Home): Promise<void> {
    const buttons = this.#options.settings().buttons ?? 'asker';
    const request = requestOf(interaction, this.#baseContextOf(interaction, home), buttons);
    await this.#answer(interaction, this.#members.queued(request, interaction.user.id));
  }

  async #complete(interaction: AutocompleteInteraction, home: Home): Promise<void> {
    const { completeWithinMs = 1_500 } = this.#options;
    const command = commandNamed(interaction.commandName);
    const { name, value } = interaction.options.getFocused(true);
    const context = this.#contextOf(interaction, home, 'private');
    const none: Choice[] = [];
    const isTooFast = this.#completions.take(interaction.user.id) > 0;
    const isRefused = isTooFast || command === null || refusalFor(command, context, context.options) !== null;
    const completing = isRefused
      ? undefined
      : command
          .autocomplete?.({
            ...context,
            client: home.project.clientAs('background'),
            focused: { name, value },
          })
          .catch(() => none);
    const choices = await within(completing ?? Promise.resolve(none), completeWithinMs);
    await interaction.respond(choices === 'late' ? none : choices);
  }

  async #refuse(interaction: AnswerableInteraction, text: 'unknownCommand' | 'noProject'): Promise<void> {
    const language = languageOf(interaction.locale);
    const embed = failureEmbed(language, 'title', [language.t(`failure.${text}`)]);
    const work = async () => privateReply(embed);
    await this.#answer(interaction, { mode: 'private', language, command: '', work });
  }

  #baseContextOf(
    interaction: AnswerableInteraction | AutocompleteInteraction,
    { guildId, project }: Home,
  ): BaseContext {
    const asker = askerOf(interaction, guildId);
    const { channels, pictures } = this.#options;
    return {
      client: project.clientAs(`member:${asker.userId}`),
      community: project.community,
      channels,
      pictures,
      now: this.#options.now(),
      language: languageOf(interaction.locale),
      asker,
      mayShare: mayShare(asker, this.#options.settings().sharing ?? 'moderators'),
    };
  }

  #contextOf(
    interaction: ChatInputCommandInteraction | AutocompleteInteraction,
    home: Home,
    visibility: Visibility,
  ): CommandContext {
    return {
      ...this.#baseContextOf(interaction, home),
      options: valuesOf(interaction.options.data),
      ownerId: interaction.user.id,
      visibility,
      pressed: false,
    };
  }
}
