import {
  ApplicationCommandType,
  InteractionContextType,
  PermissionFlagsBits,
  type APIApplicationCommandOption,
} from 'discord.js';
import { defaultLocale, languageOf } from '../../locales/language.ts';
import type { Command } from '../command.ts';
import { alertSubcommand } from './alert.ts';
import { postsSubcommand } from './posts.ts';
import { setupSubcommand } from './setup.ts';
import type { Subcommand } from './subcommand.ts';

const { t } = languageOf(defaultLocale);

/** In the order in which Discord lists them. */
const subcommands: readonly Subcommand[] = [setupSubcommand, alertSubcommand, postsSubcommand];

const runs = Object.assign({}, ...subcommands.map((one) => one.runs)) as Subcommand['runs'];
const presses = Object.assign({}, ...subcommands.map((one) => one.presses ?? {})) as NonNullable<
  Subcommand['presses']
>;
const completes = Object.assign({}, ...subcommands.map((one) => one.completes ?? {})) as NonNullable<
  Subcommand['completes']
>;

/** The entry of a table for a name from outside. */
const entryOf = <T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;

/** `/outpost …`: what members who may manage the guild set up in it. */
export const outpostCommand: Command = {
  definition: {
    type: ApplicationCommandType.ChatInput,
    name: 'outpost',
    description: t('command.outpost.description'),
    contexts: [InteractionContextType.Guild],
    default_member_permissions: `${PermissionFlagsBits.ManageGuild}`,
    options: subcommands.map(({ definition }): APIApplicationCommandOption => definition),
  },
  visibility: () => 'private',
  async run(context) {
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
