import type { APIEmbed, APIEmbedField } from 'discord-api-types/v10';
import type { Ban, Banlist } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { endText, nameOf, reasonText, sinceText } from './shared-texts.ts';
import { colours } from './branding.ts';
import { embedLimits, textLimits } from './limits.ts';
import { code, escaped, facts, lines, linesWithin } from './text.ts';
import { relative } from './timestamps.ts';

/** A ban has its own field, or shares one with others, of 1,024 characters. */
const targetsLength = 400;

/** A ban in full, with the servers that it applies to. */
function banDetails(language: Language, { category, expiresAt, startsAt, reason, targets }: Ban): string {
  const servers = targets.map(({ serverId, name, state }) => {
    return `${nameOf({ id: serverId, name }, textLimits.name)} (${language.t(`target.${state}`)})`;
  });
  const list = linesWithin(language, servers, targetsLength, 0, ', ');
  return lines(
    facts(
      `**${facts(language.t(`category.${category}`), endText(language, expiresAt))}**`,
      sinceText(language, startsAt),
    ),
    reasonText(language, reason),
    servers.length > 0 && language.t('bans.targets', { targets: list }),
  );
}

/** The result of checking one list for a player. */
export type ListCheck = { list: Banlist } & (
  | { outcome: 'banned'; bans: readonly Ban[] }
  | { outcome: 'clear' }
  /** Not among the `seen` newest bans, and the list has more than can be read. */
  | { outcome: 'partly'; seen: number }
  /** Not among the comparable bans. `unidentified` bans have no kind of identifier in common with the player. */
  | { outcome: 'unidentified'; unidentified: number }
  /** No ban in the cached answer, which could not be refreshed. */
  | { outcome: 'stale'; receivedAt: number }
  /** No ban, but a file of the list could not be read. */
  | { outcome: 'unread' }
  | { outcome: 'failed' }
);

export interface BanCheckView {
  /** The requested identifier, canonical; of a player who has none, the name. */
  identifier: string;
  /** The player's name, if known. */
  name: string | null;
  /** False: the player's other identifiers could not be read, so bans under them may be missing. */
  identitiesKnown: boolean;
  checks: readonly ListCheck[];
  now: number;
}

/** Banned if any list has a ban, not banned only if every list was read in full. */
function banVerdict({ checks, identitiesKnown }: BanCheckView): 'banned' | 'notBanned' | 'uncertain' {
  if (checks.some((check) => check.outcome === 'banned')) return 'banned';
  return identitiesKnown && checks.every((check) => check.outcome === 'clear') ? 'notBanned' : 'uncertain';
}

function checkLine(language: Language, check: ListCheck): string | null {
  const list = nameOf(check.list);
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
    case 'unidentified':
      return language.t('bans.checkedUnidentified', { list, count: check.unidentified });
    case 'stale':
      return language.t('bans.checkedStale', { list, when: relative(check.receivedAt) });
    case 'unread':
      return `❓ ${language.t('bans.unread', { list })}`;
    case 'failed':
      return language.t('bans.checkFailed', { list });
  }
}

/** A short version as a field of `/lookup`. */
export function banField(language: Language, view: BanCheckView | 'failed'): APIEmbedField {
  const name = language.t('bans.active');
  if (view === 'failed') return { name, value: `❓ ${language.t('bans.activeFailed')}` };
  const found = view.checks.flatMap((check) => {
    if (check.outcome === 'clear') return [];
    if (check.outcome !== 'banned') return checkLine(language, check) ?? [];
    const label = nameOf(check.list);
    return check.bans.map(
      (ban) => `🔨 ${language.t('labelled', { label, value: banDetails(language, ban) })}`,
    );
  });
  const value = [
    ...found,
    ...(banVerdict(view) === 'notBanned'
      ? [`✅ ${language.t('bans.activeNone', { count: view.checks.length })}`]
      : []),
    ...(view.identitiesKnown ? [] : [`❓ ${language.t('bans.identitiesUnknown')}`]),
  ];
  return { name, value: linesWithin(language, value, embedLimits.fieldValue) };
}

const verdictLooks = {
  banned: { sign: '🔨', color: colours.offline },
  notBanned: { sign: '✅', color: colours.online },
  uncertain: { sign: '❓', color: colours.warning },
} as const;

/** Whether one player is banned: yes, no, or unknown because a list could not be checked. */
export function banCheckEmbed(language: Language, view: BanCheckView): APIEmbed {
  const { checks, identifier, identitiesKnown } = view;
  const name = escaped(view.name ?? '', textLimits.name);
  const player = name === '' ? code(identifier) : name;
  const banned = checks.filter((check) => check.outcome === 'banned');
  const isUncertain = checks.some(({ outcome }) => outcome !== 'banned' && outcome !== 'clear');
  const verdict = banVerdict(view);
  const { sign, color } = verdictLooks[verdict];
  const count = verdict === 'banned' ? banned.length : checks.length;
  const checkLines = checks.map((check) => checkLine(language, check)).filter((line) => line !== null);
  return {
    title: `${sign} ${language.t(`bans.${verdict}Title`)}`,
    color,
    description: lines(
      language.t(`bans.${verdict}`, { player, count }),
      verdict === 'banned' && isUncertain && language.t('bans.alsoUncertain'),
      verdict === 'uncertain' && !identitiesKnown && language.t('bans.identitiesUnknown'),
      name !== '' && identifier !== view.name && code(identifier),
      checkLines.length > 0 && ['', linesWithin(language, checkLines, 2500)],
      '',
      language.t('bans.checkedAt', { when: relative(view.now) }),
    ),
    fields: banned.slice(0, embedLimits.fields).map(({ list, bans }) => {
      const texts = bans.map((ban) => banDetails(language, ban));
      return { name: nameOf(list), value: linesWithin(language, texts, embedLimits.fieldValue) };
    }),
  };
}
