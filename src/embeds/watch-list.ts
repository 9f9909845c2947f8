import type { APIEmbed } from 'discord-api-types/v10';
import type { Language } from '../locales/language.ts';
import { addedLine, serverText, type WatchReason } from './arrival.ts';
import { playerName, reasonText, untilText } from './shared-texts.ts';
import { colours } from './branding.ts';
import { embedLimits, textLimits } from './limits.ts';
import { code, facts, lines, linesWithin, plain } from './text.ts';

export interface WatchEntry extends WatchReason {
  id: number;
  /** Whom it is about: a stored player, an identifier of which nobody is known yet, or everybody with a name. */
  about: 'player' | 'identifier' | 'name';
  /** The identifier or the name. */
  subject: string;
  /** Epoch milliseconds; null: until it is removed. */
  expiresAt: number | null;
}

const nameLimit = 60;

function subjectText(language: Language, { about, subject }: Pick<WatchEntry, 'about' | 'subject'>): string {
  if (about === 'identifier') return code(subject);
  const player = `**${playerName(language, subject)}**`;
  return about === 'player' ? player : language.t('watch.named', { player });
}

const sentences = {
  player: 'watch.byPlayer',
  identifier: 'watch.byIdentifier',
  name: 'watch.byName',
} as const satisfies Record<WatchEntry['about'], string>;

/**
 * @param on the names of servers on which the player is now
 * @param channelIds the channels that get the messages; null: they are not known
 */
export function watchAddedEmbed(
  language: Language,
  { about, subject, on }: Pick<WatchEntry, 'about' | 'subject'> & { on: readonly string[] },
  channelIds: readonly string[] | null,
): APIEmbed {
  const player = `**${playerName(language, subject)}**`;
  const servers = language.list(on.map((name) => `**${serverText(name)}**`));
  const channels = language.list((channelIds ?? []).map((id) => `<#${id}>`));
  return {
    title: `👁️ ${language.t('watch.addedTitle')}`,
    description: lines(
      language.t(sentences[about], { player, identifier: code(subject) }),
      on.length > 0 && `🟢 ${language.t('watch.on', { servers })}`,
      channelIds !== null &&
        (channels === '' ? `⚠️ ${language.t('watch.nowhere')}` : language.t('watch.channels', { channels })),
    ),
    color: colours.warning,
  };
}

export function watchRemovedEmbed(
  language: Language,
  entry: Pick<WatchEntry, 'about' | 'subject'>,
): APIEmbed {
  return {
    title: language.t('watch.removedTitle'),
    description: language.t('watch.removed', { player: subjectText(language, entry) }),
    color: colours.unknown,
  };
}

function entryText(language: Language, entry: WatchEntry): string {
  const { reason, addedBy, addedAt, expiresAt } = entry;
  return lines(
    facts(
      subjectText(language, entry),
      reasonText(language, reason),
      expiresAt !== null && untilText(language, expiresAt),
    ),
    addedLine(language, addedBy, addedAt),
  );
}

/** As many entries as fit, the latest first. */
export function watchListEmbed(language: Language, entries: readonly WatchEntry[]): APIEmbed {
  const texts = entries.map((entry) => entryText(language, entry));
  return {
    title: `👁️ ${language.t('watch.title')}`,
    description:
      texts.length === 0 ? language.t('watch.empty') : linesWithin(language, texts, embedLimits.description),
    color: colours.unknown,
  };
}

/** All entries as a text, where the message cannot hold them; null: it can. */
export function longWatchList(language: Language, entries: readonly WatchEntry[]): string | null {
  const shown = lines(entries.map((entry) => entryText(language, entry)));
  if (shown.length <= embedLimits.description) return null;
  const rows = entries.map(({ subject, reason, addedAt, expiresAt, addedBy }) => {
    const who = plain(subject, nameLimit) || language.t('player.nameless');
    const why = plain(reason ?? '', textLimits.reason) || language.t('bans.noReason');
    return facts(who, why, `${day(addedAt)} – ${expiresAt === null ? '…' : day(expiresAt)}`, addedBy);
  });
  return `${lines(rows)}\n`;
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
