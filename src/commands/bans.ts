import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionContextType,
  PermissionFlagsBits,
} from 'discord.js';
import { ServiceError } from '../api/client-types.ts';
import type { Banlist } from '../api/resources.ts';
import { banCheckEmbed } from '../embeds/ban-check.ts';
import { banlistEmbed, banlistsEmbed, banlistUnavailableEmbed } from '../embeds/ban-lists.ts';
import { defaultLocale, languageOf } from '../locales/language.ts';
import { checkBans } from './ban-check.ts';
import { choicesFor, resolve } from './choices.ts';
import { textOption, type Command, type CommandContext, type Reply } from './command.ts';
import { badIdentifier, readIdentifier } from './identifier-input.ts';
import { readBranding, reply } from './replies.ts';

const { t } = languageOf(defaultLocale);

async function showList(
  { client, language }: CommandContext,
  list: Banlist,
  lists: Banlist[],
): Promise<Reply> {
  const branding = await readBranding(client);
  try {
    const { data, receivedAt, stale } = await client.listBans({ banListId: list.id, limit: 100 });
    return reply(banlistEmbed(language, branding, { list, bans: data.bans, receivedAt, stale }));
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'not_found')) throw error;
    const others = lists.filter((other) => other.id !== list.id);
    return reply(banlistUnavailableEmbed(language, branding, { asked: list.name, lists: others }));
  }
}

/** `/bans [list] [identifier]`: the lists, one list, or whether one player is on them. For those who may ban. */
export const bansCommand: Command = {
  definition: {
    type: ApplicationCommandType.ChatInput,
    name: 'bans',
    description: t('command.bans.description'),
    contexts: [InteractionContextType.Guild],
    default_member_permissions: String(PermissionFlagsBits.BanMembers),
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'list',
        description: t('command.bans.list'),
        autocomplete: true,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'identifier',
        description: t('command.bans.identifier'),
        min_length: 1,
        max_length: 100,
      },
    ],
  },
  visibility: () => 'private',
  async run(context) {
    const { client, options, language, now } = context;
    const askedList = textOption(options, 'list');
    const askedIdentifier = textOption(options, 'identifier');
    const identifier = askedIdentifier === null ? null : readIdentifier(askedIdentifier);
    if (askedIdentifier !== null && identifier === null) return badIdentifier(language, askedIdentifier);

    const [branding, answer] = await Promise.all([readBranding(client), client.listBanlists()]);
    const { banlists } = answer.data;
    let chosen: Banlist | null = null;
    if (askedList !== null) {
      const match = resolve(banlists, askedList);
      if (!('found' in match)) {
        return reply(banlistUnavailableEmbed(language, branding, { asked: askedList, lists: banlists }));
      }
      chosen = match.found;
    }
    const lists = chosen === null ? banlists : [chosen];
    if (identifier !== null && lists.length > 0) {
      return reply(banCheckEmbed(language, branding, await checkBans(client, identifier, lists, now)));
    }
    const shown = chosen ?? (banlists.length === 1 ? banlists[0] : undefined);
    if (shown !== undefined) return showList(context, shown, banlists);
    const { receivedAt, stale } = answer;
    return reply(banlistsEmbed(language, branding, { lists: banlists, receivedAt, stale }));
  },
  async autocomplete({ client, focused }) {
    try {
      return choicesFor((await client.listBanlists()).data.banlists, focused.value);
    } catch {
      return [];
    }
  },
};
