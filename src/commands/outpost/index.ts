import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionContextType,
  PermissionFlagsBits,
  type APIApplicationCommandBasicOption,
} from 'discord.js';
import { metricCodes } from '../../api/metrics.ts';
import { defaultLocale, languageOf, locales } from '../../locales/language.ts';
import type { Command } from '../command.ts';
import { alertBounds, alertCommand, pressAlert } from './alert.ts';
import { chartChoices, postCommand, postKinds, pressPost } from './post.ts';
import { postsCommand, pressRemove } from './posts.ts';

const { t } = languageOf(defaultLocale);
const { Boolean, Integer, Role, String, Subcommand } = ApplicationCommandOptionType;

const languageOption = (description: string): APIApplicationCommandBasicOption => ({
  type: String,
  name: 'language',
  description,
  choices: locales.map((value) => ({ name: t(`choice.language.${value}`), value })),
});

const postOptions: APIApplicationCommandBasicOption[] = [
  {
    type: String,
    name: 'kind',
    description: t('command.outpost.post.kind'),
    required: true,
    choices: postKinds.map((value) => ({ name: t(`choice.kind.${value}`), value })),
  },
  {
    type: String,
    name: 'metric',
    description: t('command.outpost.post.metric'),
    choices: metricCodes.map((value) => ({ name: t(`choice.metric.${value}`), value })),
  },
  {
    type: String,
    name: 'chart',
    description: t('command.outpost.post.chart'),
    choices: chartChoices.map((value) => ({ name: t(`choice.chart.${value}`), value })),
  },
  languageOption(t('command.outpost.post.language')),
];

const alertOptions: APIApplicationCommandBasicOption[] = [
  { type: Boolean, name: 'down', description: t('command.outpost.alert.down') },
  {
    type: Integer,
    name: 'players',
    description: t('command.outpost.alert.players'),
    ...alertBounds.players,
  },
  {
    type: Integer,
    name: 'restart',
    description: t('command.outpost.alert.restart'),
    ...alertBounds.restart,
  },
  { type: Role, name: 'role', description: t('command.outpost.alert.role') },
  languageOption(t('command.outpost.alert.language')),
];

/** `/outpost post|alert|posts`: what the bot keeps in this guild's channels, for who may manage the guild. */
export const outpostCommand: Command = {
  definition: {
    type: ApplicationCommandType.ChatInput,
    name: 'outpost',
    description: t('command.outpost.description'),
    contexts: [InteractionContextType.Guild],
    default_member_permissions: `${PermissionFlagsBits.ManageGuild}`,
    options: [
      {
        type: Subcommand,
        name: 'post',
        description: t('command.outpost.post.description'),
        options: postOptions,
      },
      {
        type: Subcommand,
        name: 'alert',
        description: t('command.outpost.alert.description'),
        options: alertOptions,
      },
      { type: Subcommand, name: 'posts', description: t('command.outpost.posts.description') },
    ],
  },
  visibility: () => 'private',
  async run(context) {
    switch (context.options['subcommand']) {
      case 'post':
        return await postCommand(context);
      case 'alert':
        return await alertCommand(context);
      default:
        return await postsCommand(context);
    }
  },
  components: {
    mode: () => 'update',
    press(context) {
      if (context.action === 'post') return pressPost(context);
      if (context.action === 'alert') return pressAlert(context);
      return context.action === 'remove' ? pressRemove(context) : null;
    },
  },
};
