import type { APIEmbed } from 'discord-api-types/v10';
import { identifierOf } from '../api/identifiers.ts';
import type { Ban, Banlist } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { endText, listName, reasonText, sinceText } from './ban-text.ts';
import { accentOf, authorOf, colours, type Branding } from './branding.ts';
import { embedLimits, textLimits } from './limits.ts';
import { moreNote, pageNote, playerName, staleNote } from './notes.ts';
import { code, cutMarkdown, escaped } from './text.ts';

/** A page has at most this many bans, and ends earlier if its text gets too long. */
const bansOfPage = 8;
const lengthOfPage = 2600;

/** A ban in a list: player, category, duration and reason. Ban files often have an identifier but no name. */
function banEntry(language: Language, ban: Ban): string {
  const id = identifierOf(ban.player)?.value ?? null;
  const name = escaped(ban.player.name ?? '', textLimits.name);
  const nameless = id === null ? playerName(language, ban.player.name) : code(id);
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

export function banlistsEmbed(
  language: Language,
  branding: Branding | null,
  view: Freshness & { lists: readonly Banlist[] },
): APIEmbed {
  const { lists } = view;
  const shown = lists.slice(0, embedLimits.fields);
  const sentences =
    lists.length === 0
      ? [language.t('bans.noLists'), language.t('bans.noListsNext')]
      : [language.t('bans.listsNext'), ...moreNote(language, lists.length - shown.length)];
  const usual = view.stale ? colours.warning : accentOf(branding);
  return {
    ...authorOf(branding),
    title: `📋 ${language.t('bans.listsTitle')}`,
    description: [...sentences, ...staleNote(language, view)].join('\n'),
    color: lists.length === 0 ? colours.unknown : usual,
    fields: shown.map((list) => {
      const about = escaped(list.description ?? '', textLimits.reason);
      return {
        name: listName(list),
        value: [listFacts(language, list), ...(about === '' ? [] : [about])].join('\n'),
      };
    }),
  };
}

/** The bans of a list as texts, in pages; at least one page. */
export function banPages(language: Language, bans: readonly Ban[]): string[][] {
  const entries = bans.map((ban) => cutMarkdown(banEntry(language, ban), lengthOfPage));
  return pagesOf(entries, bansOfPage, lengthOfPage);
}

/** Splits texts into pages of at most `most` texts and about `maxLength` characters; at least one page. */
export function pagesOf(texts: readonly string[], most: number, maxLength: number): string[][] {
  const pages: string[][] = [[]];
  let length = 0;
  for (const text of texts) {
    let page = pages.at(-1)!;
    if (page.length > 0 && (page.length >= most || length + text.length > maxLength)) {
      page = [];
      pages.push(page);
      length = 0;
    }
    page.push(text);
    length += text.length;
  }
  return pages;
}

/** One page of a list, newest first. */
export function banlistEmbed(
  language: Language,
  branding: Branding | null,
  view: Freshness & {
    list: Banlist;
    /** A file of the list could not be read. */
    isUnread: boolean;
    /** One page of `banPages`. */
    entries: readonly string[];
    /** Bans on all pages. */
    readable: number;
    /** Counted from 1. */
    page: number;
    pages: number;
  },
): APIEmbed {
  const { list, entries, readable, page, pages } = view;
  const hidden = Math.max(list.banCount - readable, 0);
  const about = escaped(list.description ?? '', textLimits.reason);
  const unread = view.isUnread ? [`⚠️ ${language.t('bans.unread', { list: listName(list) })}`] : [];
  const notes = [...(about === '' ? [] : [about]), ...unread, ...staleNote(language, view)];
  const head = [listFacts(language, list), ...notes];
  const rest = page === pages && hidden > 0 ? ['', language.t('bans.unreadable', { count: hidden })] : [];
  const shown =
    entries.length === 0 ? ['', language.t('bans.listEmpty')] : entries.map((text) => `\n${text}`);
  const note = language.t('bans.listFooter');
  return {
    ...authorOf(branding),
    title: `📋 ${listName(list)}`,
    description: [...head, ...shown, ...rest].join('\n'),
    color: view.stale ? colours.warning : accentOf(branding),
    ...(entries.length > 0 && {
      footer: { text: pages > 1 ? `${pageNote(language, page, pages)} · ${note}` : note },
    }),
  };
}

/** The requested list does not exist, or no longer exists. */
export function banlistUnavailableEmbed(
  language: Language,
  branding: Branding | null,
  view: {
    /** The member's input; null: a component referred to the list, so it existed before. */
    asked: string | null;
    lists: readonly Banlist[];
  },
): APIEmbed {
  const names = language.list(view.lists.slice(0, 10).map(listName));
  return {
    ...authorOf(branding),
    title: `🚫 ${language.t('bans.unavailableTitle')}`,
    description: [
      view.asked === null
        ? language.t('failure.goneList')
        : language.t('bans.unavailable', { list: escaped(view.asked) }),
      view.lists.length > 0 ? language.t('failure.available', { names }) : language.t('bans.noListsNext'),
    ].join('\n'),
    color: colours.unknown,
  };
}
