import type { Message } from '../discord-types.ts';
import { mayUse, usableCommands } from '../state/commands.ts';
import type { State } from '../state/state.ts';
import type { BotStatus, StateView } from '../page/protocol.ts';
import type { PageOptions, Persona } from './page-options.ts';

/** Everything but the messages, as one persona sees it. */
export function stateView(
  state: State,
  persona: Persona,
  { title, introduction, notices, personas }: Required<PageOptions>,
  bot: BotStatus,
): StateView {
  return {
    title,
    introduction,
    notices,
    personas: personas.map(({ id, displayName, role, color = null }) => ({ id, displayName, role, color })),
    bot: { ...state.bot, ...bot },
    users: Object.fromEntries([...state.users.values()].map((user) => [user.id, user.displayName])),
    guilds: [...state.guilds.values()].map((guild) => ({
      id: guild.id,
      name: guild.name,
      channels: [...guild.channels.values()].map(({ id, name, topic }) => ({ id, name, topic })),
      roles: Object.fromEntries([...guild.roles.values()].map((role) => [role.id, role.name])),
      members: [...guild.members.values()].map(({ user }) => user.id),
      ownRoles: guild.members.get(persona.id)?.roles ?? [],
      commands: usableCommands(state, guild.id).filter(
        (command) => command.type === 1 && mayUse(command, persona.permissions),
      ),
    })),
  };
}

/** A private message is seen by one member alone. */
export const isSeenBy = ({ visibleTo }: Message, { id }: Pick<Persona, 'id'>): boolean =>
  visibleTo === null || visibleTo === id;
