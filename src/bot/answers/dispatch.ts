import {
  ApplicationCommandOptionType,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type CommandInteractionOption,
  type Interaction,
  type MessageComponentInteraction,
} from 'discord.js';
import type { Choice } from '../../commands/choices.ts';
import type { Asker, CommandContext, CommandOptions } from '../../commands/command.ts';
import { commandNamed } from '../../commands/index.ts';
import { visibilityOf, type Visibility } from '../../commands/visibilities.ts';
import { mayShare, refusalFor } from '../../commands/permission.ts';
import type { Channels } from '../../commands/interfaces/community.ts';
import { failureReply, whoseBot } from '../../commands/replies.ts';
import { languageOf } from '../../locales/language.ts';
import { within } from '../../process/time-limit.ts';
import type { BotContext } from '../bot-options.ts';
import type { NamingMessage } from '../bot-records.ts';
import { isForAll, permissionsIn } from '../channels/channel-permissions.ts';
import { loggable } from '../loggable.ts';
import type { ShownProject } from '../shown-project.ts';
import type { AnswerableInteraction } from './acknowledgement.ts';
import { createAnswer } from './answer.ts';
import { requestOf, type BaseContext } from './component-interaction.ts';
import { createMemberQueue, limitMembers } from './member-queue.ts';
import { createRefreshedAnswers } from './refreshed-answers.ts';

/** Where commands run. */
interface HomeGuild {
  guildId: string;
  project: ShownProject;
}

/**
 * Routes each interaction to its command and sends the answer.
 * @param onNames called after an answer that everyone sees and that names players by pictures
 */
export function createDispatch(
  context: BotContext,
  placements: Channels['placements'],
  onNames: (message: NamingMessage) => Promise<void>,
) {
  const { log, now, monotonic, gateway, homes, settings, pictures, completionRate, completeWithinMs } =
    context;
  const channels: Channels = {
    permissionsIn: (channelId) => permissionsIn(gateway.channel(channelId)),
    isMentionable: (guildId, roleId) => gateway.guild(guildId)?.roles.cache.get(roleId)?.mentionable ?? false,
    isForAll: (channelId) => isForAll(gateway.channel(channelId)),
    channelName: (channelId) => gateway.channel(channelId)?.name ?? null,
    placements,
  };
  const refreshed = createRefreshedAnswers(now, (error) =>
    log.debug({ error: loggable(error) }, 'an answer could not be refreshed'),
  );
  const answer = createAnswer({ ...context, onNames, refreshed });
  const queued = createMemberQueue(context);
  const takeCompletion = limitMembers(completionRate, monotonic);
  const running = new Set<Promise<void>>();

  async function route(interaction: Interaction): Promise<void> {
    const { guildId } = interaction;
    const project = settings().projects.of(guildId);
    const home = guildId !== null && project !== null && homes.isHome(guildId) ? { guildId, project } : null;
    if (interaction.isAutocomplete()) {
      await interaction.respond(home === null ? [] : await complete(interaction, home));
    } else if (interaction.isCommand() || interaction.isMessageComponent()) {
      if (guildId === null || !homes.isHome(guildId)) await sayWhoseBot(interaction, project);
      else if (home === null) await refuse(interaction, 'noProject');
      else if (interaction.isChatInputCommand()) await runCommand(interaction, home);
      else if (interaction.isMessageComponent()) await press(interaction, home);
      else await refuse(interaction, 'unknownCommand');
    }
  }

  /** Outside home guilds, private messages included, nothing else is answered, whatever was asked. */
  async function sayWhoseBot(
    interaction: AnswerableInteraction,
    project: ShownProject | null,
  ): Promise<void> {
    const language = languageOf(interaction.locale);
    const { id } = interaction.user;
    const pageUrl = project?.community.pageUrl() ?? null;
    const work = async () => await whoseBot(language, project?.clientAs(`member:${id}`), pageUrl);
    await answer(interaction, queued({ mode: 'private', language, command: '', work }, id));
  }

  async function runCommand(interaction: ChatInputCommandInteraction, home: HomeGuild): Promise<void> {
    const { commandName: name, user } = interaction;
    const command = commandNamed(name);
    if (command === null) return await refuse(interaction, 'unknownCommand');
    const answers: Partial<Record<string, Visibility>> = settings().config.answers;
    // Decided before the answer is known, since a deferral fixes it.
    const visibility = answers[name] ?? visibilityOf(name);
    const context = contextOf(interaction, home, visibility);
    const { language, options } = context;
    const work = async () => refusalFor(command, context, options) ?? (await command.run(context));
    const request = { mode: visibility, language, command: name, work };
    await answer(interaction, queued(request, user.id));
  }

  async function press(interaction: MessageComponentInteraction, home: HomeGuild): Promise<void> {
    const { buttons } = settings().config;
    const request = requestOf(interaction, baseContextOf(interaction, home), buttons);
    await answer(interaction, queued(request, interaction.user.id));
  }

  async function complete(interaction: AutocompleteInteraction, home: HomeGuild): Promise<Choice[]> {
    const command = commandNamed(interaction.commandName);
    const isTooFast = takeCompletion(interaction.user.id) > 0;
    if (isTooFast || command?.autocomplete === undefined) return [];
    const context = contextOf(interaction, home, 'private');
    if (refusalFor(command, context, context.options) !== null) return [];
    const focused = interaction.options.getFocused(true);
    const client = home.project.clientAs('background');
    const completing = command.autocomplete({ ...context, client, focused }).catch(() => []);
    const choices = await within(completing, completeWithinMs);
    return choices === 'late' ? [] : choices;
  }

  async function refuse(
    interaction: AnswerableInteraction,
    text: 'unknownCommand' | 'noProject',
  ): Promise<void> {
    const language = languageOf(interaction.locale);
    const work = async () => failureReply(language, 'title', language.t(`failure.${text}`));
    await answer(interaction, { mode: 'private', language, command: '', work });
  }

  function baseContextOf(
    interaction: AnswerableInteraction | AutocompleteInteraction,
    { guildId, project }: HomeGuild,
  ): BaseContext {
    const asker = askerOf(interaction, guildId);
    return {
      client: project.clientAs(`member:${asker.userId}`),
      community: project.community,
      channels,
      pictures,
      now: now(),
      language: languageOf(interaction.locale),
      asker,
      mayShare: mayShare(asker, settings().config.sharing),
    };
  }

  function contextOf(
    interaction: ChatInputCommandInteraction | AutocompleteInteraction,
    home: HomeGuild,
    visibility: Visibility,
  ): CommandContext {
    return {
      ...baseContextOf(interaction, home),
      options: valuesOf(interaction.options.data),
      ownerId: interaction.user.id,
      visibility,
      pressed: false,
    };
  }

  return {
    /** Answers an interaction. Never throws, never leaves a rejection. */
    handle(interaction: Interaction): void {
      const work = route(interaction)
        .catch((error: unknown) => log.warn({ error: loggable(error) }, 'handling an interaction failed'))
        .finally(() => running.delete(work));
      running.add(work);
    },
    /** Waits until everything in flight is answered, or for `ms` at most. */
    async settle(ms: number): Promise<void> {
      refreshed.stop();
      await within(Promise.allSettled(running), ms);
    },
  };
}

/** The member who used an interaction in a guild, and where. */
function askerOf(interaction: AnswerableInteraction | AutocompleteInteraction, guildId: string): Asker {
  return {
    userId: interaction.user.id,
    guildId,
    channelId: interaction.channelId,
    // Of the channels of a guild, discord.js lacks only threads: those that were archived at the start.
    isThread: interaction.channel?.isThread() ?? true,
    permissions: interaction.memberPermissions?.bitfield ?? 0n,
    botPermissions: interaction.appPermissions.bitfield,
  };
}

/** Option values by name. For a subcommand: its own options, and its path as `subcommand`, such as `watch add`. */
function valuesOf(options: readonly CommandInteractionOption[], group = ''): CommandOptions {
  const values: Record<string, string | number | boolean> = {};
  for (const option of options) {
    if (option.type === ApplicationCommandOptionType.SubcommandGroup) {
      Object.assign(values, valuesOf(option.options ?? [], `${option.name} `));
    } else if (option.type === ApplicationCommandOptionType.Subcommand) {
      Object.assign(values, valuesOf(option.options ?? []), { subcommand: `${group}${option.name}` });
    } else if (option.value !== undefined) values[option.name] = option.value;
  }
  return values;
}
