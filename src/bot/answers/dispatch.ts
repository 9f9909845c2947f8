import type {
  AutocompleteInteraction,
  ChatInputCommandInteraction,
  Interaction,
  MessageComponentInteraction,
} from 'discord.js';
import type { Choice } from '../../commands/choices.ts';
import type { CommandContext } from '../../commands/command.ts';
import { commandNamed } from '../../commands/index.ts';
import { visibilityOf, type Visibility } from '../../commands/visibilities.ts';
import { mayShare, refusalFor } from '../../commands/permission.ts';
import type { Channels } from '../../commands/interfaces/community.ts';
import { privateReply, whoseBot } from '../../commands/replies.ts';
import { failureEmbed } from '../../embeds/failure.ts';
import { languageOf } from '../../locales/language.ts';
import { within } from '../../process/time-limit.ts';
import type { BotContext } from '../bot-options.ts';
import type { NamingMessage } from '../bot-records.ts';
import { loggable } from '../loggable.ts';
import type { ShownProject } from '../shown-project.ts';
import type { AnswerableInteraction } from './acknowledgement.ts';
import { createAnswer, type Answer } from './answer.ts';
import { askerOf, valuesOf } from './asker.ts';
import { requestOf, type BaseContext } from './component-interaction.ts';
import { limitMembers } from './member-allowance.ts';
import { createMemberQueue } from './member-queue.ts';
import { RefreshedAnswers } from './refreshed-answers.ts';

interface DispatchOptions {
  placements: Channels['placements'];
  /** Called after an answer that everyone sees and that names players by pictures. */
  onNames: (message: NamingMessage) => Promise<void>;
}

/** Where commands run. */
interface HomeGuild {
  guildId: string;
  project: ShownProject;
}

/** Routes each interaction to its command and sends the answer. */
export class Dispatch {
  readonly #context: BotContext;
  readonly #channels: Channels;
  readonly #answer: Answer;
  readonly #refreshed: RefreshedAnswers;
  readonly #queued: ReturnType<typeof createMemberQueue>;
  readonly #takeCompletion: ReturnType<typeof limitMembers>;
  readonly #running = new Set<Promise<void>>();

  constructor(context: BotContext, { placements, onNames }: DispatchOptions) {
    const { log, now, monotonic, gateway, completionRate } = context;
    const refreshed = new RefreshedAnswers(now, (error) =>
      log.debug({ error: loggable(error) }, 'an answer could not be refreshed'),
    );
    this.#context = context;
    this.#channels = {
      permissionsIn: (channelId) => gateway.permissionsIn(channelId),
      isMentionable: (guildId, roleId) => gateway.isMentionable(guildId, roleId),
      isForAll: (channelId) => gateway.isForAll(channelId),
      channelName: (channelId) => gateway.channelName(channelId),
      placements,
    };
    this.#refreshed = refreshed;
    this.#answer = createAnswer({ ...context, onNames, refreshed });
    this.#queued = createMemberQueue(context);
    this.#takeCompletion = limitMembers(completionRate, monotonic);
  }

  /** Answers an interaction. Never throws, never leaves a rejection. */
  handle(interaction: Interaction): void {
    const work = this.#route(interaction)
      .catch((error: unknown) => {
        this.#context.log.warn({ error: loggable(error) }, 'handling an interaction failed');
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
    const { homes, settings } = this.#context;
    const project = settings().projects.of(guildId);
    const home = guildId !== null && project !== null && homes.isHome(guildId) ? { guildId, project } : null;
    if (interaction.isAutocomplete()) {
      await interaction.respond(home === null ? [] : await this.#complete(interaction, home));
    } else if (interaction.isCommand() || interaction.isMessageComponent()) {
      if (guildId === null || !homes.isHome(guildId)) await this.#sayWhoseBot(interaction, project);
      else if (home === null) await this.#refuse(interaction, 'noProject');
      else if (interaction.isChatInputCommand()) await this.#command(interaction, home);
      else if (interaction.isMessageComponent()) await this.#press(interaction, home);
      else await this.#refuse(interaction, 'unknownCommand');
    }
  }

  /** Outside home guilds, private messages included, nothing else is answered, whatever was asked. */
  async #sayWhoseBot(interaction: AnswerableInteraction, project: ShownProject | null): Promise<void> {
    const language = languageOf(interaction.locale);
    const { id } = interaction.user;
    const pageUrl = project?.community.pageUrl() ?? null;
    const work = async () => await whoseBot(language, project?.clientAs(`member:${id}`), pageUrl);
    await this.#answer(interaction, this.#queued({ mode: 'private', language, command: '', work }, id));
  }

  async #command(interaction: ChatInputCommandInteraction, home: HomeGuild): Promise<void> {
    const { commandName: name, user } = interaction;
    const command = commandNamed(name);
    if (command === null) return await this.#refuse(interaction, 'unknownCommand');
    const { answers } = this.#context.settings().config;
    // Decided before the answer is known, since a deferral fixes it.
    const visibility = answers?.[name] ?? visibilityOf(name);
    const context = this.#contextOf(interaction, home, visibility);
    const { language, options } = context;
    const work = async () => refusalFor(command, context, options) ?? (await command.run(context));
    const request = { mode: visibility, language, command: name, work };
    await this.#answer(interaction, this.#queued(request, user.id));
  }

  async #press(interaction: MessageComponentInteraction, home: HomeGuild): Promise<void> {
    const { buttons } = this.#context.settings().config;
    const request = requestOf(interaction, this.#baseContextOf(interaction, home), buttons);
    await this.#answer(interaction, this.#queued(request, interaction.user.id));
  }

  async #complete(interaction: AutocompleteInteraction, home: HomeGuild): Promise<Choice[]> {
    const command = commandNamed(interaction.commandName);
    const isTooFast = this.#takeCompletion(interaction.user.id) > 0;
    if (isTooFast || command?.autocomplete === undefined) return [];
    const context = this.#contextOf(interaction, home, 'private');
    if (refusalFor(command, context, context.options) !== null) return [];
    const focused = interaction.options.getFocused(true);
    const client = home.project.clientAs('background');
    const completing = command.autocomplete({ ...context, client, focused }).catch(() => []);
    const choices = await within(completing, this.#context.completeWithinMs);
    return choices === 'late' ? [] : choices;
  }

  async #refuse(interaction: AnswerableInteraction, text: 'unknownCommand' | 'noProject'): Promise<void> {
    const language = languageOf(interaction.locale);
    const embed = failureEmbed(language, 'title', [language.t(`failure.${text}`)]);
    const work = async () => privateReply(embed);
    await this.#answer(interaction, { mode: 'private', language, command: '', work });
  }

  #baseContextOf(
    interaction: AnswerableInteraction | AutocompleteInteraction,
    { guildId, project }: HomeGuild,
  ): BaseContext {
    const asker = askerOf(interaction, guildId);
    const { pictures, now, settings } = this.#context;
    return {
      client: project.clientAs(`member:${asker.userId}`),
      community: project.community,
      channels: this.#channels,
      pictures,
      now: now(),
      language: languageOf(interaction.locale),
      asker,
      mayShare: mayShare(asker, settings().config.sharing ?? 'moderators'),
    };
  }

  #contextOf(
    interaction: ChatInputCommandInteraction | AutocompleteInteraction,
    home: HomeGuild,
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
