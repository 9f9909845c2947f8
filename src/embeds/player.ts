import type { APIEmbed } from 'discord-api-types/v10';
import type { Freshness } from '../api/client-types.ts';
import { identifierKinds, type IdentifierKind } from '../api/identifiers.ts';
import type { Player } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { banField, type BanCheckView } from './ban-check.ts';
import { rankText, type CardContent } from './card/content.ts';
import { colours } from './branding.ts';
import { textLimits } from './limits.ts';
import { markText, type LinkMark } from './link.ts';
import { moreNote, playerName, staleNote } from './shared-texts.ts';
import { killFields, type PlayerKills } from './player-kills.ts';
import { clean, code, escaped, facts, lines, unbroken } from './text.ts';
import { date, relative } from './timestamps.ts';

export interface PlayerView extends Freshness {
  player: Player;
  /** The figures of the player's card. */
  card: CardContent;
  /** The card is a picture above the answer; otherwise the answer has its figures as text. */
  isDrawn: boolean;
  /** For members who may see bans; `failed`: they could not be read. */
  bans: BanCheckView | 'failed' | null;
  /** Null: none are kept. */
  kills: PlayerKills | null;
  /** The kind of the identifier that was entered; null: a name was entered. */
  recognised?: IdentifierKind | null;
  /** Whether identifiers and earlier names are shown. */
  withIdentity: boolean;
  /** In the game's own logs; null: unknown. */
  gameId: string | null;
  /** The asker is linked to this player. */
  isOwn?: boolean;
  /** The member of this guild who is linked to the player. */
  link?: LinkMark | null;
}

const shownAliases = 12;

/** A player's other names, latest first, without duplicates; empty: there are none. */
function aliasText(language: Language, { name, aliases }: Player): string {
  const current = clean(name ?? '');
  const byLatest = aliases.toSorted((one, other) =>
    (other.lastSeenAt ?? '').localeCompare(one.lastSeenAt ?? ''),
  );
  const names = [...new Set(byLatest.map((alias) => clean(alias.name)))].filter(
    (alias) => alias !== '' && alias !== current,
  );
  const shown = names.slice(0, shownAliases).map((alias) => escaped(alias, textLimits.name));
  return lines(facts(shown), moreNote(language, names.length - shown.length));
}

/** A player's identifiers as inline code, one per line, with a link to the Steam profile; empty: there are none. */
function identifierText(language: Language, { player, gameId }: PlayerView): string {
  const ids = { ...player, gameId };
  const shown = [...identifierKinds, 'gameId' as const].flatMap((kind) => {
    const value = ids[kind];
    if (value === null) return [];
    const label = language.t(`identifier.${kind}`);
    const url = `https://steamcommunity.com/profiles/${value}`;
    return [`${kind === 'steamId64' ? `[${label}](${url})` : label} ${code(value)}`];
  });
  return lines(shown);
}

function linkText(language: Language, { isOwn = false, link = null }: PlayerView): string | null {
  if (!isOwn && link === null) return null;
  return `📍 ${facts(isOwn && language.t('player.isOwn'), link && markText(language, link.isProven))}`;
}

/** The figures of a card, for those who get no picture. */
function figureLines(language: Language, { tiles, note }: CardContent): string[] {
  if (note !== null) return [note];
  const figures = tiles.map(({ label, value, rank }) => {
    const figure = `**${unbroken(escaped(value))}**${rank === null ? '' : ` (${rankText(rank)})`}`;
    return language.t('labelled', { label, value: figure });
  });
  return ['', ...figures];
}

/** One player: the figures, last seen, the latest kills and deaths, and if wanted bans, other names and identifiers. */
export function playerEmbed(language: Language, view: PlayerView): APIEmbed {
  const { player, card, bans, kills, withIdentity, recognised } = view;
  const { firstSeenAt, lastSeenAt } = player;
  const isSeen = firstSeenAt !== null || lastSeenAt !== null;
  const identity = [
    { name: language.t('player.aliases'), value: aliasText(language, player) },
    { name: language.t('player.identifiers'), value: identifierText(language, view) },
  ];
  return {
    // The card says it.
    ...(!view.isDrawn && { title: `👤 ${playerName(language, player.name)}` }),
    description: lines(
      linkText(language, view),
      // Each on its line: on a phone, the second date would break off its label.
      lastSeenAt !== null && language.t('player.lastSeen', { when: relative(lastSeenAt) }),
      firstSeenAt !== null && language.t('player.firstSeen', { when: date(firstSeenAt) }),
      !isSeen && language.t('player.seenUnknown'),
      !view.isDrawn && figureLines(language, card),
      staleNote(language, view),
    ),
    ...(view.stale && { color: colours.warning }),
    fields: [
      ...(kills === null ? [] : killFields(language, kills)),
      ...(bans === null ? [] : [banField(language, bans)]),
      ...(withIdentity ? identity : []),
    ],
    ...(recognised && {
      footer: { text: language.t('player.recognised', { kind: language.t(`identifier.${recognised}`) }) },
    }),
  };
}
