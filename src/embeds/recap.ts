import type { APIEmbed } from 'discord-api-types/v10';
import type { Language } from '../locales/language.ts';
import { formatMetric, weekdayTime } from './format.ts';
import { escaped, facts, lines, plain } from './text.ts';

type RecapKind = 'kills' | 'shot' | 'played' | 'weapon' | 'peak' | 'newcomers';

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
/** Of a line with three names, escaped. */
const lineLimit = 500;

function valueText(language: Language, kind: RecapKind, value: number): string {
  if (kind === 'shot') return formatMetric(language, 'meters', value);
  if (kind === 'played') return formatMetric(language, 'seconds', value);
  if (kind === 'kills' || kind === 'weapon') return language.t('feed.kills', { count: value });
  return language.number(value);
}

/** Without what it counts, which the figure beside it says. */
const bareText = (language: Language, kind: RecapKind, value: number): string =>
  kind === 'kills' || kind === 'weapon' ? language.number(value) : valueText(language, kind, value);

function subjectOf(language: Language, figure: RecapFigure, names: RecapView['names']): string | null {
  const { players = [], others = 0, kind, weapon, value } = figure;
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

function detailOf(language: Language, figure: RecapFigure, timezone: string): string | null {
  const { kind, value, weapon, at } = figure;
  if (value === null) return null;
  if (kind === 'shot' && weapon) return plain(weapon, nameLimit);
  return at === undefined ? null : weekdayTime(language, at, timezone);
}

export function recapTiles(language: Language, { recap, names }: RecapView): RecapTile[] {
  return recap.figures.map((figure): RecapTile => {
    const { kind, value, before } = figure;
    return {
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

/** The servers of a recap that is not about the whole project; empty: it is. */
export const recapServers = (language: Language, { servers }: Recap): string =>
  language.list(servers.map((name) => plain(name, nameLimit)).filter((name) => name !== ''));

/** All that the picture shows, line by line, as plain text. */
function recapLines(language: Language, view: RecapView): string[] {
  return recapTiles(language, view).map(({ label, subject, value: figure, detail, before }) => {
    const figures = [subject, figure, detail].filter(Boolean).join(', ');
    const value = before === null ? figures : `${figures} (${language.t('recap.before', { value: before })})`;
    return language.t('labelled', { label, value });
  });
}

/** A recap in words, for channels in which the bot may not attach its picture. */
export function recapEmbed(language: Language, view: RecapView): APIEmbed {
  return {
    title: `🗓️ ${recapTitle(language, view.recap)}`,
    description: lines(
      recapLines(language, view).map((line) => escaped(line, lineLimit).replaceAll('-', '\u2011')),
    ),
    footer: { text: recapServers(language, view.recap) },
  };
}

/** The same words as the alternative text of the picture. */
export function recapAlt(language: Language, view: RecapView): string {
  const servers = recapServers(language, view.recap);
  const title = facts(recapTitle(language, view.recap), servers);
  return plain([title, ...recapLines(language, view)].join('. '), 1024);
}
