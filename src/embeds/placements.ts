import type { APIEmbed } from 'discord-api-types/v10';
import type { BoardMetric, PeriodKind } from '../api/log-metrics.ts';
import type { Language, TextKey } from '../locales/language.ts';
import { colours } from './branding.ts';
import { embedLimits } from './limits.ts';
import { facts, lines, linesWithin, small } from './text.ts';

/** The channel permissions that a post needs. */
export type NeededPermission = 'ViewChannel' | 'SendMessages' | 'SendMessagesInThreads' | 'EmbedLinks';

/** The content of a post, alerts or a kill feed, for display. */
export type ContentNames =
  /** The text of what is about servers, and their names, safe in markdown. */
  | { text: TextKey & `post.${string}`; servers: readonly string[] }
  | { metric: BoardMetric; period?: PeriodKind | undefined };

export type PlacedState =
  | { state: 'shown'; url: string }
  | { state: 'waiting' | 'watching' | 'paused' }
  | { state: 'failing'; reason: PostFailure };

/**
 * Why nothing is posted. `otherProject`: the servers belong to another project than the guild shows. All else: why Discord
 * refused a message in the channel; `other` is a temporary error.
 */
export type PostFailure =
  | 'channelGone'
  | 'noAccess'
  | 'noPermission'
  | 'threadClosed'
  | 'notText'
  | 'token'
  | 'editedTooOften'
  | 'otherProject'
  | 'other';

/** One entry in a guild's list of posts and alerts. */
export interface PlacedEntry {
  /** Discord id of its channel. */
  channelId: string;
  names: ContentNames;
  state: PlacedState;
  /** Of alerts: when they are sent, and the role that they mention. */
  details: readonly string[];
  /** It comes from the config, and commands cannot change it. */
  fixed: boolean;
}

/** When alerts are sent. What is left out sends none. */
interface AlertTimes {
  down?: { afterMinutes: number } | undefined;
  players?: { atLeast: number } | undefined;
  restart?: { minutesBefore: number } | undefined;
  watched?: object | undefined;
  banned?: object | undefined;
  newPlayers?: object | undefined;
}

export interface AlertNames {
  servers: readonly string[];
  times: AlertTimes;
  /** Whether a role is mentioned; `muted`: it is, and Discord notifies none of its members. */
  mentions: boolean | 'muted';
  /** Everyone sees in the channel what only moderators should. */
  isExposed: boolean;
  /** Those of `servers` for which no restart is scheduled, where one is to be announced. */
  unscheduled: readonly string[];
}

/** At most this many servers are named; the others are counted. */
const mostNames = 3;

/** `Status of A and B`, without markdown of its own. */
export function contentName(language: Language, names: ContentNames): string {
  if ('metric' in names) {
    const { metric, period } = names;
    const shown = facts(language.t(`metric.${metric}`), period && language.t(`top.period.${period}`));
    return language.t('post.leaderboard', { metric: shown });
  }
  const { text, servers } = names;
  const hidden = servers.length > mostNames + 1 ? servers.slice(mostNames) : [];
  const others = hidden.length === 0 ? [] : [language.t('post.others', { count: hidden.length })];
  const shown = servers.slice(0, servers.length - hidden.length);
  return language.t(text, { servers: language.list([...shown, ...others]) });
}

export function chooseServersEmbed({ t }: Language): APIEmbed {
  return { title: t('placeholder.servers'), description: t('setup.choose'), color: colours.accent };
}

/** Something was placed in the channel, with what is worth knowing about it. */
function successEmbed(
  { t }: Language,
  title: TextKey,
  ...sentences: (string | false | readonly string[])[]
): APIEmbed {
  return {
    title: `✅ ${t(title)}`,
    description: lines(...sentences, t('setup.placedNext')),
    color: colours.online,
  };
}

type SetupText = TextKey & `setup.${string}`;

/** Something was placed: a post, or messages that follow. */
export function placedEmbed(
  language: Language,
  what: {
    title: SetupText;
    text: SetupText;
    /** Of the post. */
    url: string;
    servers: readonly string[];
    /** It has a picture, and the bot may not attach files in the channel. */
    withoutPicture: boolean;
    notes: readonly string[];
  },
): APIEmbed {
  const { t, list } = language;
  const text = t(what.text, { url: what.url, servers: list(what.servers) });
  return successEmbed(language, what.title, text, what.notes, what.withoutPicture && t('setup.withoutChart'));
}

export function alertTexts({ t }: Language, times: AlertTimes): string[] {
  const { down, players, restart, watched, banned, newPlayers } = times;
  return [
    down && t('setup.alertDown', { count: down.afterMinutes }),
    players && t('setup.alertPlayers', { count: players.atLeast }),
    restart && t('setup.alertRestart', { count: restart.minutesBefore }),
    watched && t('setup.alertWatched'),
    banned && t('setup.alertBanned'),
    newPlayers && t('setup.alertNewcomers'),
  ].filter((text) => text !== undefined);
}

export function alertsPlacedEmbed(
  language: Language,
  { servers, times, mentions, isExposed, unscheduled }: AlertNames,
): APIEmbed {
  const { t, list } = language;
  return successEmbed(
    language,
    'setup.alertsTitle',
    t('setup.alerts', { servers: list(servers) }),
    alertTexts(language, times).map((text) => `- ${text}`),
    mentions !== false && t('setup.alertRole'),
    mentions === 'muted' && t('setup.alertRoleMuted'),
    isExposed && `⚠️ ${t('setup.alertExposed')}`,
    unscheduled.length > 0 && `⚠️ ${t('setup.alertUnscheduled', { servers: list(unscheduled) })}`,
  );
}

/** With a shorter delay, positions show where players are. */
const harmlessMinutes = 5;

/** What is worth knowing about a kill feed that was placed. @param show deaths besides kills */
export function feedNotes(
  { t }: Language,
  { show, delaySeconds, positions }: { show: readonly string[]; delaySeconds: number; positions: boolean },
): string[] {
  const delayMinutes = delaySeconds / 60;
  return [
    show.length > 0 && t('setup.feedAll'),
    delayMinutes > 0 && t('setup.feedDelay', { count: delayMinutes }),
    positions && t('setup.feedPositions'),
    positions && delayMinutes < harmlessMinutes && `⚠️ ${t('setup.feedPositionsSoon')}`,
  ].filter((note) => note !== false);
}

/** Shown by a post in a guild that is no longer a home guild. */
export function pausedEmbed({ t }: Language): APIEmbed {
  return { title: `⏸️ ${t('post.pausedTitle')}`, description: t('post.pausedText'), color: colours.unknown };
}

export function missingPermissionsEmbed(
  { t, list }: Language,
  permissions: readonly NeededPermission[],
): APIEmbed {
  const names = permissions.map((permission) => `**${t(`permission.${permission}`)}**`);
  return {
    title: `🔒 ${t('setup.missingPermissionsTitle')}`,
    description: t('setup.missingPermissions', { permissions: list(names) }),
    color: colours.warning,
  };
}

/** A placement failed: why, and what to do next. */
export function notPlacedEmbed({ t }: Language, sentences: readonly string[]): APIEmbed {
  return { title: `⚠️ ${t('setup.failedTitle')}`, description: lines(sentences), color: colours.offline };
}

function stateText({ t }: Language, state: PlacedState): string {
  if (state.state === 'shown') return t('post.shown', { url: state.url });
  if (state.state === 'failing') return t(`post.failing.${state.reason}`);
  return t(`post.${state.state}`);
}

/** All posts and alerts of a guild. `notice` reports the latest change. */
export function placementsEmbed(
  language: Language,
  entries: readonly PlacedEntry[],
  notice: string | null,
): APIEmbed {
  const { t } = language;
  const texts = entries.map(({ channelId, names, state, details, fixed }) =>
    lines(
      `**${contentName(language, names)}** · <#${channelId}>`,
      small(facts(stateText(language, state), details, fixed && t('setup.listConfig'))),
    ),
  );
  return {
    title: t('setup.listTitle'),
    description: lines(
      notice !== null && [notice, ''],
      linesWithin(language, texts, embedLimits.description - 700) || t('setup.listEmpty'),
      '',
      t('setup.listNext'),
    ),
    color: colours.accent,
  };
}
