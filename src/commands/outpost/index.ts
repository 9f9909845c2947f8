import { PermissionFlagsBits } from 'discord.js';
import type { Command, CommandOptions } from '../command.ts';
import { alertSubcommand } from './alert.ts';
import { playerSubcommand } from './player.ts';
import { postsSubcommand } from './posts.ts';
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

/** The tables of a subcommand, by path or action. */
type Table = 'runs' | 'presses' | 'completes';

/** A table with the entries of all subcommands. */
function merged<Name extends Table>(name: Name): NonNullable<Subcommand[Name]> {
  return Object.assign({}, ...subcommands.map((subcommand) => subcommand[name])) as NonNullable<
    Subcommand[Name]
  >;
}

const runs = merged('runs');
const presses = merged('presses');
const completes = merged('completes');

/** The entry of a name from outside. Only of own keys, since the name may be `constructor`. */
const entryOf = <T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;

function subcommandOf({ subcommand }: CommandOptions): Subcommand | undefined {
  const [name] = String(subcommand).split(' ');
  return subcommands.find(({ definition }) => definition.name === name);
}

/** `/outpost …`: what members who may manage the guild set up in it. */
export const outpostCommand: Command = {
  definition: {
    name: 'outpost',
    default_member_permissions: `${PermissionFlagsBits.ManageGuild}`,
    options: subcommands.map(({ definition }) => definition),
  },
  alsoFor: ({ subcommand }) =>
    String(subcommand).startsWith('watch ') ? PermissionFlagsBits.BanMembers : null,
  needsStore: (options) => subcommandOf(options)?.needsStore?.(options) ?? null,
  async run(context) {
    // Discord may know the subcommands of another version for a moment.
    return await (entryOf(runs, context.options['subcommand']) ?? postsSubcommand.runs['posts']!)(context);
  },
  async autocomplete(context) {
    return (await entryOf(completes, context.options['subcommand'])?.(context)) ?? [];
  },
  components: {
    mode: () => 'update',
    press: (context) => entryOf(presses, context.action)?.(context) ?? null,
  },
};
