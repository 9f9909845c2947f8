import type { APIEmbed, APIEmbedField } from 'discord-api-types/v10';
import { identifierKinds, type IdentifierKind } from '../api/identifiers.ts';
import { signOf } from '../api/log-metrics.ts';
import { metricCodes, metrics, type Metric } from '../api/metrics.ts';
import type { Alias, Player, PlayerReference } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { banField, type BanCheckView } from './ban-check.ts';
import {
  favouriteLine,
  killFields,
  killsPerDeath,
  killsPerHour,
  statLine,
  type PlayerKills,
} from './player-kills.ts';
import { accentOf, authorOf, colours, type Branding } from './branding.ts';
import { formatMetric } from './format.ts';
import { textLimits } from './limits.ts';
import { markText, type LinkMark } from './link.ts';
import { moreNote, playerName, staleNote } from './notes.ts';
import { clean, code, escaped } from './text.ts';
import { date, relative } from './timestamps.ts';

export interface PlayerView {
  player: Player;
  /** For members who may see bans; `failed`: they could not be read. */
  bans?: BanCheckView | 'failed' | null;
  /** For home guilds; null: none are kept. */
  kills?: PlayerKills | null;
  /** The kind of the identifier that was entered; null: a name was entered. */
  recognised?: IdentifierKind | null;
  /** The figures stand on a picture above. */
  hasCard?: boolean;
  /** Whether identifiers and earlier names are shown. */
  withIdentity: boolean;
  /** In the game's own logs; null or left out: unknown, or not shown. */
  gameId?: string | null;
  /** The asker is linked to this player. */
  isOwn?: boolean;
  /** The member of this guild who is linked to the player. */
  link?: LinkMark | null;
  receivedAt: number;
  stale: boolean;
}

const shownAliases = 12;

function statLines(language: Language, player: Player, group: Metric['group']): string[] {
  return metricCodes.flatMap((code) => {
    const { stat, unit, sign, ...metric } = metrics[code];
    const value = player.stats[stat];
    if (metric.group !== group || value === null) return [];
    return [statLine(sign, language.t(`metric.${code}`), formatMetric(language, unit, value))];
  });
}

/** What follows from the figures. */
function ratioLines(language: Language, { stats }: Player): string[] {
  const perDeath = killsPerDeath(language, stats);
  const perHour = killsPerHour(language, stats);
  return [
    ...(perDeath === null ? [] : [statLine(signOf('KD'), language.t('metric.KD'), perDeath)]),
    ...(perHour === null ? [] : [statLine('⏱️', language.t('player.perHour'), perHour)]),
  ];
}

/** A player's other names, latest first, without duplicates. Null if there are none. */
function aliasText(language: Language, name: string | null, aliases: readonly Alias[]): string | null {
  const current = clean(name ?? '');
  const byLatest = aliases.toSorted((one, other) =>
    (other.lastSeenAt ?? '').localeCompare(one.lastSeenAt ?? ''),
  );
  const names = [...new Set(byLatest.map((alias) => clean(alias.name)))].filter(
    (alias) => alias !== '' && alias !== current,
  );
  if (names.length === 0) return null;
  const shown = names.slice(0, shownAliases).map((alias) => escaped(alias, textLimits.name));
  return [shown.join(' · '), ...moreNote(language, names.length - shown.length)].join('\n');
}

/** A player's identifiers as inline code, one per line. */
function identifierLines(language: Language, ids: PlayerReference & { gameId: string | null }): string[] {
  return [...identifierKinds, 'gameId' as const].flatMap((kind) => {
    const value = ids[kind];
    return value === null ? [] : [`${language.t(`identifier.${kind}`)} ${code(value)}`];
  });
}

function linkLine(language: Language, { isOwn = false, link = null }: PlayerView): string[] {
  if (!isOwn && link === null) return [];
  const own = isOwn ? [language.t('player.isOwn')] : [];
  const mark = link === null ? [] : [markText(language, link.isProven)];
  return [`📍 ${[...own, ...mark].join(' · ')}`];
}

/** One player: stats, last seen, other names and identifiers. */
export function playerEmbed(language: Language, branding: Branding | null, view: PlayerView): APIEmbed {
  const { player, withIdentity, gameId = null } = view;
  const seen = [
    player.lastSeenAt && language.t('player.lastSeen', { when: relative(player.lastSeenAt) }),
    player.firstSeenAt && language.t('player.firstSeen', { when: date(player.firstSeenAt) }),
  ].filter((text) => text !== null && text !== '');
  const fields: APIEmbedField[] = [];
  const combatLines = [
    ...statLines(language, player, 'combat'),
    ...ratioLines(language, player),
    ...favouriteLine(language, view.kills),
  ];
  const survivalLines = statLines(language, player, 'survival');
  const hasFigures = combatLines.length + survivalLines.length > 0;
  if (combatLines.length > 0 && !view.hasCard) {
    fields.push({ name: language.t('player.combat'), value: combatLines.join('\n') });
  }
  if (survivalLines.length > 0 && !view.hasCard) {
    fields.push({ name: language.t('player.survival'), value: survivalLines.join('\n') });
  }
  if (view.kills) fields.push(...killFields(language, view.kills));
  const aliases = withIdentity ? aliasText(language, player.name, player.aliases) : null;
  if (view.bans) fields.push(banField(language, view.bans));
  if (aliases !== null) fields.push({ name: language.t('player.aliases'), value: aliases });
  const identifiers = withIdentity ? identifierLines(language, { ...player, gameId }) : [];
  if (identifiers.length > 0) {
    fields.push({ name: language.t('player.identifiers'), value: identifiers.join('\n') });
  }
  return {
    ...authorOf(branding),
    title: `👤 ${playerName(language, player.name)}`,
    ...(withIdentity &&
      player.steamId64 !== null && { url: `https://steamcommunity.com/profiles/${player.steamId64}` }),
    description: [
      ...linkLine(language, view),
      // Each on its line: on a phone, the second date would break off its label.
      seen.length > 0 ? seen.join('\n') : language.t('player.seenUnknown'),
      ...(hasFigures || view.hasCard ? [] : [language.t('player.noStats')]),
      ...staleNote(language, view),
    ].join('\n'),
    color: view.stale ? colours.warning : accentOf(branding),
    fields,
    ...(view.recognised && {
      footer: {
        text: language.t('player.recognised', { kind: language.t(`identifier.${view.recognised}`) }),
      },
    }),
  };
}
