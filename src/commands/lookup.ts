import { ApplicationCommandOptionType, ApplicationCommandType } from 'discord.js';
import { ServiceError } from '../api/client-types.ts';
import { failureEmbed } from '../embeds/failure.ts';
import { playerEmbed } from '../embeds/player.ts';
import { code } from '../embeds/text.ts';
import { defaultLocale, languageOf } from '../locales/language.ts';
import { textOption, type Command } from './command.ts';
import { badIdentifier, readIdentifier } from './identifier-input.ts';
import { privateReply, readBranding, reply } from './replies.ts';

const { t } = languageOf(defaultLocale);

/** `/lookup identifier`: one player. Private, since it tells a person's identifiers and former names. */
export const lookupCommand: Command = {
  definition: {
    type: ApplicationCommandType.ChatInput,
    name: 'lookup',
    description: t('command.lookup.description'),
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'identifier',
        description: t('command.lookup.identifier'),
        required: true,
        min_length: 1,
        max_length: 100,
      },
    ],
  },
  visibility: () => 'private',
  async run({ client, options, language }) {
    const text = textOption(options, 'identifier') ?? '';
    const identifier = readIdentifier(text);
    if (identifier === null) return badIdentifier(language, text);
    try {
      const [branding, answer] = await Promise.all([
        readBranding(client),
        client.getPlayer({ identifier: identifier.value }),
      ]);
      const { data, receivedAt, stale } = answer;
      return reply(playerEmbed(language, branding, { player: data.player, receivedAt, stale }));
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'not_found')) throw error;
      return privateReply(
        failureEmbed(language, 'notFoundTitle', [
          language.t('failure.unknownPlayer', {
            kind: language.t(`identifier.${identifier.kind}`),
            identifier: code(identifier.value),
          }),
          language.t('failure.unknownPlayerNext'),
        ]),
      );
    }
  },
};
