import type { APIEmbed, APIEmbedField } from 'discord-api-types/v10';
import type { Ban, Banlist } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { endText, listName, reasonText, sinceText } from './ban-text.ts';
import { authorOf, colours, type Branding } from './branding.ts';
import { embedLimits, textLimits } from './limits.ts';
import { code, escaped, linesWithin } from './text.ts';
import { relative } from './timestamps.ts';

/** A ban has its own field, or shares one with others, of 1,024 characters. */
const targetsLength = 400;

/** A ban in full, with the servers that it applies to. */
function banDetails(language: Language, ban: Ban): string {
  const head = `**${language.t(`category.${ban.category}`)} · ${endText(language, ban)}**`;
  const targets = ban.targets.map((target) => {
    const name = escaped(target.name, textLimits.name) || escaped(target.serverId, textLimits.name);
    return `${name} (${language.t(`target.${target.state}`)})`;
  });
  const servers = linesWithin(language, targets, targetsLength, 0, ', ');
  return [
    [head, ...sinceText(language, ban)].join(' · '),
    reasonText(language, ban),
    ...(targets.length > 0 ? [language.t('bans.targets', { targets: servers })] : []),
  ].join('\n');
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
  | { outcome: 'gone' }
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

type BanVerdict = 'banned' | 'notBanned' | 'uncertain';

/** The overall result: banned if any list has a ban, not banned only if every list was read in full. */
function banVerdict({
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
    case 'unidentified':
      return language.t('bans.checkedUnidentified', { list, count: check.unidentified });
    case 'stale':
      return language.t('bans.checkedStale', { list, when: relative(check.receivedAt) });
    case 'unread':
      return `❓ ${language.t('bans.unread', { list })}`;
    case 'failed':
      return language.t('bans.checkFailed', { list });
    case 'gone':
      return language.t('bans.listGone', { list });
  }
}

/** A short version as a field of `/lookup`. */
export function banField(language: Language, view: BanCheckView | 'failed'): APIEmbedField {
  const name = language.t('bans.active');
  if (view === 'failed') return { name, value: `❓ ${language.t('bans.activeFailed')}` };
  const bans = view.checks.flatMap((check) =>
    check.outcome === 'banned'
      ? check.bans.map((ban) => {
          const value = banDetails(language, ban);
          return `🔨 ${language.t('labelled', { label: listName(check.list), value })}`;
        })
      : [],
  );
  const doubts = view.checks.map((check) => (check.outcome === 'clear' ? null : checkLine(language, check)));
  const verdict = banVerdict(view);
  const lines = [
    ...bans,
    ...(verdict === 'notBanned'
      ? [`✅ ${language.t('bans.activeNone', { count: view.checks.length })}`]
      : []),
    ...doubts.filter((line) => line !== null),
    ...(view.identitiesKnown ? [] : [`❓ ${language.t('bans.identitiesUnknown')}`]),
  ];
  return { name, value: linesWithin(language, lines, embedLimits.fieldValue) };
}

/** Whether one player is banned: yes, no, or unknown because a list could not be checked. */
export function banCheckEmbed(language: Language, branding: Branding | null, view: BanCheckView): APIEmbed {
  const verdict = banVerdict(view);
  const name = escaped(view.name ?? '', textLimits.name);
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
  return {
    ...authorOf(branding),
    title: texts.title,
    color: texts.color,
    description: [
      ...texts.lead,
      ...(name === '' || view.identifier === view.name ? [] : [code(view.identifier)]),
      ...(lines.length > 0 ? ['', linesWithin(language, lines, 2500)] : []),
      '',
      language.t('bans.checkedAt', { when: relative(view.now) }),
    ].join('\n'),
    fields: banned.slice(0, embedLimits.fields).map((check) => ({
      name: listName(check.list),
      value: linesWithin(
        language,
        check.bans.map((ban) => banDetails(language, ban)),
        embedLimits.fieldValue,
      ),
    })),
  };
}
