import type { APIEmbed } from 'discord-api-types/v10';
import type { Ban, Banlist } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { accentOf, authorOf, colours, type Branding } from './branding.ts';
import { embedLimits, textLimits } from './limits.ts';
import { playerName } from './player.ts';
import { code, foreign, linesWithin } from './text.ts';
import { date, relative } from './timestamps.ts';

/** So many bans of a list are shown; who looks for one player checks the identifier instead. */
export const shownBans = 10;

/** Name of a list in markdown, never empty. */
export function listName(list: Pick<Banlist, 'id' | 'name'>): string {
  return foreign(list.name, textLimits.serverName) || foreign(list.id, textLimits.serverName) || '?';
}

function endText(language: Language, ban: Ban): string {
  if (ban.expiresAt === null) return language.t('bans.permanent');
  return language.t('bans.until', { date: date(ban.expiresAt), when: relative(ban.expiresAt) });
}

function reasonText(language: Language, ban: Ban): string {
  return foreign(ban.reason ?? '', textLimits.reason) || language.t('bans.noReason');
}

function sinceText(language: Language, ban: Ban): string[] {
  return ban.startsAt === null ? [] : [language.t('bans.since', { date: date(ban.startsAt) })];
}

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

/** A ban that was asked for: the same with where it is applied. */
function banDetails(language: Language, ban: Ban): string {
  const head = `**${language.t(`category.${ban.category}`)} · ${endText(language, ban)}**`;
  const targets = ban.targets.slice(0, 10).map((target) => {
    const name = foreign(target.name, textLimits.name) || foreign(target.serverId, textLimits.name);
    return `${name} (${language.t(`target.${target.state}`)})`;
  });
  return [
    [head, ...sinceText(language, ban)].join(' · '),
    reasonText(language, ban),
    ...(targets.length > 0 ? [`${language.t('bans.targets')}: ${targets.join(', ')}`] : []),
  ].join('\n');
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

/** What reading one list told about one player. */
export type ListCheck = { list: Banlist } & (
  | { outcome: 'banned'; bans: readonly Ban[] }
  | { outcome: 'clear' }
  /** Not among the `seen` newest bans, and the list holds more than can be read. */
  | { outcome: 'partly'; seen: number }
  /** No ban in the last answer that is kept, but no fresh answer. */
  | { outcome: 'old'; receivedAt: number }
  | { outcome: 'failed' }
  | { outcome: 'gone' }
);

export interface BanCheckView {
  /** As it was asked for, canonical. */
  identifier: string;
  /** Name of the player where one is known. */
  name: string | null;
  /** False: the player's other identifiers could not be read, so bans under these may be missed. */
  identitiesKnown: boolean;
  checks: readonly ListCheck[];
  now: number;
}

export type BanVerdict = 'banned' | 'notBanned' | 'uncertain';

/** The answer as a whole: banned beats all; "not banned" only when every list was read in full. */
export function banVerdict({
  checks,
  identitiesKnown,
}: Pick<BanCheckView, 'checks' | 'identitiesKnown'>): BanVerdict {
  if (checks.some((check) => check.outcome === 'banned')) return 'banned';
  return identitiesKnown && checks.every((check) => check.outcome === 'clear') ? 'notBanned' : 'uncertain';
}

function checkLine(language: Language, check: ListCheck): string | null {
  const list = listName(check.list);
  switch (check.outcome) {
    case 'banned':
      return null;
    case 'clear':
      return language.t('bans.checkedFully', { list });
    case 'partly':
      return language.t('bans.checkedPartly', {
        list,
        seen: language.number(check.seen),
        total: language.number(Math.max(check.list.banCount, check.seen)),
      });
    case 'old':
      return language.t('bans.checkedThen', { list, when: relative(check.receivedAt) });
    case 'failed':
      return language.t('bans.checkFailed', { list });
    case 'gone':
      return language.t('bans.listGone', { list });
  }
}

/** Whether one player is banned: banned, not banned and could not check are three different answers. */
export function banCheckEmbed(language: Language, branding: Branding | null, view: BanCheckView): APIEmbed {
  const verdict = banVerdict(view);
  const name = foreign(view.name ?? '', textLimits.name);
  const player = name === '' ? code(view.identifier) : name;
  const lines = view.checks.map((check) => checkLine(language, check)).filter((line) => line !== null);
  const doubts = view.identitiesKnown ? [] : [language.t('bans.identitiesUnknown')];
  const banned = view.checks.filter((check) => check.outcome === 'banned');
  const uncertain = view.checks.some((check) => check.outcome !== 'banned' && check.outcome !== 'clear');
  const texts = {
    banned: {
      title: `🔨 ${language.t('bans.bannedTitle')}`,
      color: colours.offline,
      lead: [
        language.t('bans.banned', { player, count: banned.length }),
        ...(uncertain ? [language.t('bans.alsoUncertain')] : []),
      ],
    },
    notBanned: {
      title: `✅ ${language.t('bans.notBannedTitle')}`,
      color: colours.online,
      lead: [language.t('bans.notBanned', { player, count: view.checks.length })],
    },
    uncertain: {
      title: `❓ ${language.t('bans.uncertainTitle')}`,
      color: colours.warning,
      lead: [language.t('bans.uncertain', { player }), ...doubts],
    },
  }[verdict];
  const more = (count: number) => language.t('more', { count });
  return {
    ...authorOf(branding),
    title: texts.title,
    color: texts.color,
    description: [
      ...texts.lead,
      ...(name === '' ? [] : [code(view.identifier)]),
      ...(lines.length > 0 ? ['', linesWithin(lines, 2500, more)] : []),
      '',
      language.t('bans.checkedAt', { when: relative(view.now) }),
    ].join('\n'),
    fields: banned.slice(0, embedLimits.fields).map((check) => ({
      name: listName(check.list),
      value: linesWithin(
        check.bans.map((ban) => banDetails(language, ban)),
        embedLimits.fieldValue,
        more,
      ),
    })),
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
