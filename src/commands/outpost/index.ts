import { PermissionFlagsBits } from 'discord.js';
import type { Command, CommandOptions } from '../command.ts';
import { actionComponents } from '../screen.ts';
import { alertSubcommand } from './alert.ts';
import { playerSubcommand } from './player.ts';
import { postsCommand, postsSubcommand } from './posts.ts';
import { setupSubcommand } from './setup.ts';
import type { Subcommand } from './subcommand.ts';
import { watchSubcommand } from './watch.ts';

/** In the order in which Discord lists them. */
const subcommands: readonly Subcommand[] = [
  setupSubcommand,
  alertSubcommand,
  postsSubcommand,
  playerSubcommand,
  watchSubcommand,
];

const presses = Object.fromEntries(
  subcommands.flatMap((subcommand) => Object.entries(subcommand.presses ?? {})),
);
/** By path, as Discord sends it. */
const runs = new Map(subcommands.flatMap((subcommand) => Object.entries(subcommand.runs)));
const completes = new Map(subcommands.flatMap((subcommand) => Object.entries(subcommand.completes ?? {})));

const pathOf = ({ subcommand }: CommandOptions): string => String(subcommand);

/** `/outpost …`: what members who may manage the guild set up in it. */
export const outpostCommand: Command = {
  definition: {
    name: 'outpost',
    default_member_permissions: `${PermissionFlagsBits.ManageGuild}`,
    options: subcommands.map(({ definition }) => definition),
  },
  alsoFor: (options) => (pathOf(options).startsWith('watch ') ? PermissionFlagsBits.BanMembers : null),
  needsStore(options) {
    const [name] = pathOf(options).split(' ');
    const subcommand = subcommands.find(({ definition }) => definition.name === name);
    return subcommand?.needsStore?.(options) ?? null;
  },
  async run(context) {
    // Discord may know the subcommands of another version for a moment.
    return await (runs.get(pathOf(context.options)) ?? postsCommand)(context);
  },
  async autocomplete(context) {
    return (await completes.get(pathOf(context.options))?.(context)) ?? [];
  },
  components: actionComponents(presses),
};
