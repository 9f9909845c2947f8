import type { APIEmbed } from 'discord-api-types/v10';
import type { Language } from '../locales/language.ts';
import { accentOf, authorOf, type Branding } from './branding.ts';
import { formatMetric, weekdayTime } from './format.ts';
import { escaped, facts, lines, plain, small, unbroken } from './text.ts';

/** What a recap shows, in this order. */
const signs = {
  kills: '⚔️',
  shot: '🎯',
  played: '⏳',
  weapon: '💥',
  peak: '📈',
  newcomers: '👋',
} as const;

type RecapKind = keyof typeof signs;

/** What a recap says of one kind. Names of players are not part of it. */
export interface RecapFigure {
  kind: RecapKind;
  /** Kills, metres, seconds or players; null: there was none. */
  value: number | null;
  /** The value of the week before; null: nothing is known of it. */
  before: number | null;
  /** Whose figure it is: the store's ids of all players with as much, at most three. */
  players?: readonly number[];
  /** How many others have as much. */
  others?: number;
  /** By its name in the game. */
  weapon?: string | null;
  /** When it was, epoch milliseconds. */
  at?: number;
}

/** A week of some servers, without the names of players. */
export interface Recap {
  /** The local week; epoch milliseconds. `until` is the first moment after it. */
  from: number;
  until: number;
  /** IANA. */
  timezone: string;
  /** The names of the servers; empty: all of the project. */
  servers: readonly string[];
  figures: readonly RecapFigure[];
}

export interface RecapView {
  recap: Recap;
  /** By the store's id; who is missing is hidden, forgotten or has no name. */
  names: ReadonlyMap<number, string>;
}

/** One figure in words, as plain text of other people's making. */
export interface RecapTile {
  sign: string;
  label: string;
  /** Players or a weapon; null: neither. */
  subject: string | null;
  value: string;
  /** What else there is to say. */
  detail: string | null;
  /** The figure of the week before; null: it is unknown. */
  before: string | null;
  /** How much more it is than the week before, or less; null: as much, or unknown. */
  change: { by: string; isMore: boolean } | null;
}

const nothing = '–';
const nameLimit = 40;
/** Three names, escaped. */
const subjectLimit = 300;

function valueText(language: Language, kind: RecapKind, value: number): string {
  if (kind === 'shot') return formatMetric(language, 'meters', value);
  if (kind === 'played') return formatMetric(language, 'seconds', value);
  if (kind === 'kills' || kind === 'weapon') return language.t('feed.kills', { count: value });
  return language.number(value);
}

/** Without what it counts, which the figure beside it says. */
const bareText = (language: Language, kind: RecapKind, value: number): string =>
  kind === 'kills' || kind === 'weapon' ? language.number(value) : valueText(language, kind, value);

function subjectOf(
  language: Language,
  { players = [], others = 0, kind, weapon, value }: RecapFigure,
  names: RecapView['names'],
): string | null {
  if (value === null) return null;
  if (kind === 'weapon') return plain(weapon ?? '', nameLimit);
  if (players.length === 0) return null;
  const known = players.map((id) => plain(names.get(id) ?? '', nameLimit) || language.t('feed.somePlayer'));
  const more = others === 0 ? '' : ` ${language.t('chart.more', { count: others })}`;
  return `${language.list(known)}${more}`;
}

function changeOf(language: Language, { kind, value, before }: RecapFigure): RecapTile['change'] {
  if (before === null || (value ?? 0) === before) return null;
  const change = (value ?? 0) - before;
  return { by: bareText(language, kind, Math.abs(change)), isMore: change > 0 };
}

function detailOf(
  language: Language,
  { kind, value, weapon, at }: RecapFigure,
  timezone: string,
): string | null {
  if (value === null) return null;
  if (kind === 'shot' && weapon) return plain(weapon, nameLimit);
  return at === undefined ? null : weekdayTime(language, at, timezone);
}

/** The figures of a recap in words, for its message, its picture and the alternative text. */
export function recapTiles(language: Language, { recap, names }: RecapView): RecapTile[] {
  return recap.figures.map((figure): RecapTile => {
    const { kind, value, before } = figure;
    return {
      sign: signs[kind],
      label: language.t(`recap.${kind}`),
      subject: subjectOf(language, figure, names),
      value: value === null ? nothing : valueText(language, kind, value),
      detail: detailOf(language, figure, recap.timezone),
      before: before === null ? null : bareText(language, kind, before),
      change: changeOf(language, figure),
    };
  });
}

/** With the days of the week: `November 16 – 22`. */
export function recapTitle({ locale, t }: Language, { from, until, timezone }: Recap): string {
  const format = new Intl.DateTimeFormat(locale, { timeZone: timezone, day: 'numeric', month: 'long' });
  return t('recap.title', { days: format.formatRange(from, until - 1) });
}

/** A recap as a message, one line for each figure. */
export function recapEmbed(language: Language, branding: Branding | null, view: RecapView): APIEmbed {
  const { recap } = view;
  const tiles = recapTiles(language, view);
  const texts = tiles.map(({ sign, label, subject, value, detail, change }) => {
    const figures = facts(
      subject === null
        ? `**${unbroken(value)}**`
        : [`**${escaped(subject, subjectLimit)}**`, unbroken(value)],
      detail && unbroken(escaped(detail)),
    );
    const compared = change === null ? '' : ` ${change.isMore ? '▲' : '▼'}\u00a0${unbroken(change.by)}`;
    return `${sign} ${language.t('labelled', { label, value: figures })}${compared}`;
  });
  const isCompared = tiles.some(({ change }) => change !== null);
  const servers = recap.servers.map((name) => plain(name, nameLimit)).filter((name) => name !== '');
  return {
    ...authorOf(branding),
    title: `🗓️ ${recapTitle(language, recap)}`,
    description: lines(texts, isCompared && small(language.t('recap.changes'))),
    color: accentOf(branding),
    ...(servers.length > 0 && { footer: { text: language.list(servers) } }),
  };
}

/** All that the picture of a recap shows, as text. */
export function recapAlt(language: Language, view: RecapView): string {
  const tiles = recapTiles(language, view).map(({ label, subject, value: figure, detail, before }) => {
    const figures = [subject, figure, detail].filter(Boolean).join(', ');
    const value = before === null ? figures : `${figures} (${language.t('recap.before', { value: before })})`;
    return language.t('labelled', { label, value });
  });
  return plain([recapTitle(language, view.recap), ...tiles].join('. '), 1024);
}
