import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionContextType,
  PermissionFlagsBits,
  type APIApplicationCommandBasicOption,
} from 'discord.js';
import { metricCodes } from '../../api/metrics.ts';
import { defaultLocale, languageOf, locales, translationsOf } from '../../locales/language.ts';
import type { Command } from '../command.ts';
import { alertBounds, alertCommand, pressAlert } from './alert.ts';
import { deathChoices, delayBounds, pressFeed } from './feed.ts';
import { chartChoices, setupCommand, postKinds, pressSetup } from './setup.ts';
import { postsCommand, pressRemove } from './posts.ts';

const { t } = languageOf(defaultLocale);
const { Boolean, Integer, Role, String, Subcommand } = ApplicationCommandOptionType;

const languageOption = (description: string): APIApplicationCommandBasicOption => ({
  type: String,
  name: 'language',
  description,
  choices: locales.map((value) => ({ name: t(`choice.language.${value}`), value })),
});

const setupOptions: APIApplicationCommandBasicOption[] = [
  {
    type: String,
    name: 'kind',
    description: t('command.outpost.setup.kind'),
    required: true,
    choices: postKinds.map((value) => ({ name: t(`choice.kind.${value}`), value })),
  },
  {
    type: String,
    name: 'metric',
    description: t('command.outpost.setup.metric'),
    choices: metricCodes.map((value) => ({
      name: t(`metric.${value}`),
      name_localizations: translationsOf(`metric.${value}`),
      value,
    })),
  },
  {
    type: String,
    name: 'chart',
    description: t('command.outpost.setup.chart'),
    choices: chartChoices.map((value) => ({ name: t(`choice.chart.${value}`), value })),
  },
  { type: Boolean, name: 'names', description: t('command.outpost.setup.names') },
  {
    type: String,
    name: 'deaths',
    description: t('command.outpost.setup.deaths'),
    choices: deathChoices.map((value) => ({ name: t(`choice.deaths.${value}`), value })),
  },
  { type: Integer, name: 'delay', description: t('command.outpost.setup.delay'), ...delayBounds },
  { type: Boolean, name: 'positions', description: t('command.outpost.setup.positions') },
  languageOption(t('command.outpost.setup.language')),
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

/** `/outpost setup|alert|posts`: posts, alerts and kill feeds in this guild, for members who may manage it. */
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
        name: 'setup',
        description: t('command.outpost.setup.description'),
        options: setupOptions,
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
      case 'setup':
        return await setupCommand(context);
      case 'alert':
        return await alertCommand(context);
      default:
        return await postsCommand(context);
    }
  },
  components: {
    mode: () => 'update',
    press(context) {
      if (context.action === 'setup') return pressSetup(context);
      if (context.action === 'alert') return pressAlert(context);
      if (context.action === 'feed') return pressFeed(context);
      return context.action === 'remove' ? pressRemove(context) : null;
    },
  },
};
