import { mayUse, usableCommands } from '../state/commands.ts';
import { messageFlag } from '../state/state.ts';
import type { Command, LocalEvent, Message, State } from '../state/state.ts';
import type { BotStatus, CommandView, MessageView, PageEvent, StateView } from '../page/protocol.ts';
import type { PageOptions, Persona } from './page-options.ts';

export function messageView(message: Message): MessageView {
  const { interaction, author } = message;
  return {
    id: message.id,
    channelId: message.channelId,
    author: { id: author.id, name: author.displayName, bot: author.bot },
    content: message.content,
    embeds: message.flags & messageFlag.suppressEmbeds ? [] : message.embeds,
    components: message.components,
    attachments: message.attachments.filter((attachment) => !attachment.embedded),
    ephemeral: message.visibleTo !== null,
    loading: (message.flags & messageFlag.loading) !== 0,
    createdAt: message.createdAt,
    editedAt: message.editedAt,
    mentions: message.mentions,
    referenceId: message.referenceId,
    command:
      interaction && interaction.commandName !== null && message.referenceId === null
        ? {
            name: interaction.commandName,
            user: { id: interaction.user.id, name: interaction.user.displayName },
          }
        : null,
  };
}

function commandView(command: Command): CommandView {
  const { id, name, description, options, guild_id: guildId } = command;
  return {
    id,
    name,
    description,
    options,
    guildId: guildId ?? null,
    name_localizations: command.name_localizations,
    description_localizations: command.description_localizations,
  };
}

/** Everything but the messages. */
export function stateView(
  state: State,
  persona: Persona,
  page: Required<PageOptions>,
  bot: BotStatus,
): StateView {
  return {
    title: page.title,
    introduction: page.introduction,
    notices: page.notices,
    personas: page.personas.map(({ id, username, displayName, role, color }) => ({
      id,
      username,
      displayName,
      role,
      color: color ?? null,
    })),
    bot: { id: state.bot.id, name: state.bot.displayName, ...bot },
    users: Object.fromEntries([...state.users.values()].map((user) => [user.id, user.displayName])),
    guilds: [...state.guilds.values()].map((guild) => ({
      id: guild.id,
      name: guild.name,
      channels: [...guild.channels.values()].map(({ id, name, topic }) => ({ id, name, topic })),
      roles: Object.fromEntries([...guild.roles.values()].map((role) => [role.id, role.name])),
      members: [...guild.members.values()].map(({ user }) => user.id),
      ownRoles: guild.members.get(persona.id)?.roles ?? [],
      commands: usableCommands(state, guild.id)
        .filter((command) => command.type === 1 && mayUse(command, persona.permissions))
        .map(commandView),
    })),
  };
}

/** An event as one persona may see it; null when it may not see it. */
export function eventView(event: LocalEvent, persona: Persona): PageEvent | null {
  if (event.type !== 'message') return event;
  const { message } = event;
  if (message.visibleTo !== null && message.visibleTo !== persona.id) return null;
  return { type: 'message', change: event.change, message: messageView(message) };
}
