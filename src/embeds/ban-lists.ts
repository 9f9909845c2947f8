import type { APIEmbed } from 'discord-api-types/v10';
import type { Freshness } from '../api/client-types.ts';
import { identifierOf } from '../api/identifiers.ts';
import type { Ban, Banlist } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import {
  endText,
  moreNote,
  nameOf,
  pageNote,
  playerName,
  reasonText,
  sinceText,
  staleNote,
} from './shared-texts.ts';
import { colours } from './branding.ts';
import { embedLimits, textLimits } from './limits.ts';
import { code, cutMarkdown, escaped, facts, inParts, lines } from './text.ts';

/** A page has at most this many bans, and ends earlier if its text gets too long. */
const bansOfPage = 8;
const lengthOfPage = 2600;

/** A ban in a list: player, category, duration and reason. Ban files often have an identifier but no name. */
function banEntry(language: Language, { player, category, expiresAt, startsAt, reason }: Ban): string {
  const id = identifierOf(player)?.value ?? null;
  const name = escaped(player.name ?? '', textLimits.name);
  const who = name !== '' ? `**${name}**` : id === null ? playerName(language, player.name) : code(id);
  const details = facts(name !== '' && id !== null && code(id), sinceText(language, startsAt));
  return lines(
    facts(who, language.t(`category.${category}`), endText(language, expiresAt)),
    details !== '' && details,
    reasonText(language, reason),
  );
}

function listFacts(language: Language, list: Banlist): string {
  return facts(
    language.t('bans.count', { count: list.banCount }),
    language.t(list.isPublic ? 'bans.public' : 'bans.internal'),
    language.t(`verification.${list.verificationStatus}`),
  );
}

const aboutOf = ({ description }: Banlist): string | null =>
  escaped(description ?? '', textLimits.reason) || null;

export function banlistsEmbed(language: Language, view: Freshness & { lists: readonly Banlist[] }): APIEmbed {
  const { lists } = view;
  const shown = lists.slice(0, embedLimits.fields);
  const isEmpty = lists.length === 0;
  return {
    title: `📋 ${language.t('bans.listsTitle')}`,
    description: lines(
      isEmpty ? [language.t('bans.noLists'), language.t('bans.noListsNext')] : language.t('bans.listsNext'),
      moreNote(language, lists.length - shown.length),
      staleNote(language, view),
    ),
    fields: shown.map((list) => ({
      name: nameOf(list),
      value: lines(listFacts(language, list), aboutOf(list)),
    })),
    ...((isEmpty || view.stale) && { color: isEmpty ? colours.unknown : colours.warning }),
  };
}

/** The bans of a list as texts, in pages; at least one page. */
export function banPages(language: Language, bans: readonly Ban[]): string[][] {
  const texts = bans.map((ban) => cutMarkdown(banEntry(language, ban), lengthOfPage));
  return inParts(texts, lengthOfPage, bansOfPage);
}

/** One page of a list, newest first. */
export function banlistEmbed(
  language: Language,
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
  const hidden = page === pages ? Math.max(list.banCount - readable, 0) : 0;
  return {
    title: `📋 ${nameOf(list)}`,
    description: lines(
      listFacts(language, list),
      aboutOf(list),
      view.isUnread && `⚠️ ${language.t('bans.unread', { list: nameOf(list) })}`,
      staleNote(language, view),
      entries.length === 0 ? ['', language.t('bans.listEmpty')] : entries.map((text) => `\n${text}`),
      hidden > 0 && ['', language.t('bans.unreadable', { count: hidden })],
    ),
    footer: {
      text: facts(
        pages > 1 && pageNote(language, page, pages),
        entries.length > 0 && language.t('bans.listFooter'),
      ),
    },
    ...(view.stale && { color: colours.warning }),
  };
}

/** The requested list does not exist, or no longer exists. */
export function banlistUnavailableEmbed(
  language: Language,
  view: {
    /** The member's input; null: a component referred to the list, so it existed before. */
    asked: string | null;
    lists: readonly Banlist[];
  },
): APIEmbed {
  const { asked, lists } = view;
  const names = language.list(lists.slice(0, 10).map((list) => nameOf(list)));
  return {
    title: `🚫 ${language.t('bans.unavailableTitle')}`,
    description: lines(
      asked === null
        ? language.t('failure.goneList')
        : language.t('bans.unavailable', { list: escaped(asked) }),
      lists.length > 0 ? language.t('failure.available', { names }) : language.t('bans.noListsNext'),
    ),
    color: colours.unknown,
  };
}
