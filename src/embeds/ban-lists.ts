import type { APIEmbed } from 'discord-api-types/v10';
import type { Ban, Banlist } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { endText, listName, reasonText, sinceText } from './ban-text.ts';
import { accentOf, authorOf, colours, type Branding } from './branding.ts';
import { embedLimits, textLimits } from './limits.ts';
import { playerName } from './player.ts';
import { code, foreign, linesWithin } from './text.ts';
import { relative } from './timestamps.ts';

/** So many bans of a list are shown; who looks for one player checks the identifier instead. */
const shownBans = 10;

/** A ban among others: who, what for, how long. Ban files often know an identifier and no name. */
function banEntry(language: Language, ban: Ban): string {
  const { steamId64, battleyeGuid, cftoolsId } = ban.player;
  const id = steamId64 ?? battleyeGuid ?? cftoolsId;
  const name = foreign(ban.player.name ?? '', textLimits.name);
  const nameless = id === null ? playerName(language, ban.player) : code(id);
  const lines = [
    [name === '' ? nameless : `**${name}**`, language.t(`category.${ban.category}`), endText(language, ban)],
    [...(name === '' || id === null ? [] : [code(id)]), ...sinceText(language, ban)],
    [reasonText(language, ban)],
  ];
  return lines
    .filter((parts) => parts.length > 0)
    .map((parts) => parts.join(' · '))
    .join('\n');
}

function listFacts(language: Language, list: Banlist): string {
  return [
    language.t('bans.count', { count: list.banCount }),
    language.t(list.isPublic ? 'bans.public' : 'bans.internal'),
    language.t(`verification.${list.verificationStatus}`),
  ].join(' · ');
}

interface Freshness {
  receivedAt: number;
  stale: boolean;
}

function staleNote(language: Language, { stale, receivedAt }: Freshness): string[] {
  return stale ? [language.t('stale', { when: relative(receivedAt) })] : [];
}

/** Which lists there are. */
export function banlistsEmbed(
  language: Language,
  branding: Branding | null,
  view: Freshness & { lists: readonly Banlist[] },
): APIEmbed {
  const { lists } = view;
  if (lists.length === 0) {
    return {
      ...authorOf(branding),
      title: `📋 ${language.t('bans.listsTitle')}`,
      description: [
        language.t('bans.noLists'),
        language.t('bans.noListsNext'),
        ...staleNote(language, view),
      ].join('\n'),
      color: colours.unknown,
    };
  }
  const shown = lists.slice(0, embedLimits.fields);
  const rest = lists.length - shown.length;
  return {
    ...authorOf(branding),
    title: `📋 ${language.t('bans.listsTitle')}`,
    description: [
      language.t('bans.listsNext'),
      ...(rest > 0 ? [language.t('more', { count: rest })] : []),
      ...staleNote(language, view),
    ].join('\n'),
    color: view.stale ? colours.warning : accentOf(branding),
    fields: shown.map((list) => {
      const about = foreign(list.description ?? '', textLimits.reason);
      return {
        name: listName(list),
        value: [listFacts(language, list), ...(about === '' ? [] : [about])].join('\n'),
      };
    }),
  };
}

/** One list with its newest bans. */
export function banlistEmbed(
  language: Language,
  branding: Branding | null,
  view: Freshness & { list: Banlist; bans: readonly Ban[] },
): APIEmbed {
  const { list, bans } = view;
  const shown = bans.slice(0, shownBans).map((ban) => `\n${banEntry(language, ban)}`);
  const total = Math.max(list.banCount, bans.length);
  const hidden = total - shown.length;
  const about = foreign(list.description ?? '', textLimits.reason);
  const head = [listFacts(language, list), ...(about === '' ? [] : [about]), ...staleNote(language, view)];
  const more = (count: number) => `\n${language.t('more', { count })}`;
  const entries =
    bans.length === 0
      ? `\n${language.t('bans.listEmpty')}`
      : linesWithin(shown, embedLimits.description - 900, more, hidden);
  return {
    ...authorOf(branding),
    title: `📋 ${listName(list)}`,
    description: [...head, entries].join('\n'),
    color: view.stale ? colours.warning : accentOf(branding),
    ...(bans.length > 0 && { footer: { text: language.t('bans.listFooter') } }),
  };
}

/** A list was named that this project does not have (any more). */
export function banlistUnavailableEmbed(
  language: Language,
  branding: Branding | null,
  view: { asked: string; lists: readonly Banlist[] },
): APIEmbed {
  const names = view.lists.slice(0, 10).map(listName).join(', ');
  return {
    ...authorOf(branding),
    title: `🚫 ${language.t('bans.unavailableTitle')}`,
    description: [
      language.t('bans.unavailable', { list: foreign(view.asked) }),
      view.lists.length > 0
        ? language.t('bans.unavailableNext', { lists: names })
        : language.t('bans.noListsNext'),
    ].join('\n'),
    color: colours.unknown,
  };
}
