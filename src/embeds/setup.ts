import type { APIEmbed } from 'discord-api-types/v10';
import type { BoardMetric, PeriodKind } from '../api/log-metrics.ts';
import type { Language } from '../locales/language.ts';
import { colours } from './branding.ts';
import { embedLimits } from './limits.ts';
import { linesWithin } from './text.ts';

/** The channel permissions that a post needs. */
export type NeededPermission = 'ViewChannel' | 'SendMessages' | 'SendMessagesInThreads' | 'EmbedLinks';

/** The content of a post, alerts or a kill feed, for display. `servers` contains names that are safe in markdown. */
export type ContentNames =
  | { kind: 'status' | 'schedule' | 'alerts' | 'players' | 'feed' | 'recap'; servers: readonly string[] }
  | { kind: 'leaderboard'; metric: BoardMetric; period?: PeriodKind | undefined }
  /** Its servers belong to another project than the guild shows, so they are not named. */
  | { kind: 'foreign' };

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
  if (names.kind === 'leaderboard') {
    const metric = language.t(`metric.${names.metric}`);
    const period = names.period === undefined ? [] : [language.t(`top.period.${names.period}`)];
    return language.t('post.leaderboard', { metric: [metric, ...period].join(' · ') });
  }
  if (names.kind === 'foreign') return language.t('post.foreign');
  const { kind, servers } = names;
  if (kind === 'recap' && servers.length === 0) return language.t('post.recapOfAll');
  const hidden = servers.length > mostNames + 1 ? servers.slice(mostNames) : [];
  const others = hidden.length === 0 ? [] : [language.t('post.others', { count: hidden.length })];
  const shown = servers.slice(0, servers.length - hidden.length);
  return language.t(`post.${kind}`, { servers: language.list([...shown, ...others]) });
}

export function chooseServersEmbed(language: Language): APIEmbed {
  return {
    title: language.t('placeholder.servers'),
    description: language.t('setup.choose'),
    color: colours.accent,
  };
}

/** @param url of the post; null: recaps follow */
export function placedEmbed(language: Language, url: string | null, withoutFiles: boolean): APIEmbed {
  return {
    title: `✅ ${language.t(url === null ? 'setup.recapTitle' : 'setup.placedTitle')}`,
    description: [
      url === null ? language.t('setup.recap') : language.t('setup.placed', { url }),
      ...(withoutFiles ? [language.t('setup.withoutChart')] : []),
      language.t('setup.placedNext'),
    ].join('\n'),
    color: colours.online,
  };
}

export function alertTexts(language: Language, times: AlertTimes): string[] {
  const { down, players, restart, watched, banned, newPlayers } = times;
  return [
    ...(down ? [language.t('setup.alertDown', { count: down.afterMinutes })] : []),
    ...(players ? [language.t('setup.alertPlayers', { count: players.atLeast })] : []),
    ...(restart ? [language.t('setup.alertRestart', { count: restart.minutesBefore })] : []),
    ...(watched ? [language.t('setup.alertWatched')] : []),
    ...(banned ? [language.t('setup.alertBanned')] : []),
    ...(newPlayers ? [language.t('setup.alertNewcomers')] : []),
  ];
}

export function alertsPlacedEmbed(language: Language, names: AlertNames): APIEmbed {
  return {
    title: `✅ ${language.t('setup.alertsTitle')}`,
    description: [
      language.t('setup.alerts', { servers: language.list(names.servers) }),
      ...alertTexts(language, names.times).map((text) => `- ${text}`),
      ...(names.mentions === false ? [] : [language.t('setup.alertRole')]),
      ...(names.mentions === 'muted' ? [language.t('setup.alertRoleMuted')] : []),
      ...(names.isExposed ? [`⚠️ ${language.t('setup.alertExposed')}`] : []),
      ...(names.unscheduled.length === 0
        ? []
        : [`⚠️ ${language.t('setup.alertUnscheduled', { servers: language.list(names.unscheduled) })}`]),
      language.t('setup.placedNext'),
    ].join('\n'),
    color: colours.online,
  };
}

interface FeedNames {
  servers: readonly string[];
  /** Every death is posted. */
  all: boolean;
  delayMinutes: number;
  positions: boolean;
}

/** With a shorter delay, positions show where players are. */
const harmlessMinutes = 5;

export function feedPlacedEmbed(language: Language, names: FeedNames): APIEmbed {
  const { servers, all, delayMinutes, positions } = names;
  const isSoon = positions && delayMinutes < harmlessMinutes;
  return {
    title: `✅ ${language.t('setup.feedTitle')}`,
    description: [
      language.t('setup.feed', { servers: language.list(servers) }),
      ...(all ? [language.t('setup.feedAll')] : []),
      ...(delayMinutes > 0 ? [language.t('setup.feedDelay', { count: delayMinutes })] : []),
      ...(positions ? [language.t('setup.feedPositions')] : []),
      ...(isSoon ? [`⚠️ ${language.t('setup.feedPositionsSoon')}`] : []),
      language.t('setup.placedNext'),
    ].join('\n'),
    color: colours.online,
  };
}

/** Shown by a post in a guild that is no longer a home guild. */
export function pausedEmbed(language: Language): APIEmbed {
  return {
    title: `⏸️ ${language.t('post.pausedTitle')}`,
    description: language.t('post.pausedText'),
    color: colours.unknown,
  };
}

export function missingPermissionsEmbed(
  language: Language,
  permissions: readonly NeededPermission[],
): APIEmbed {
  const names = permissions.map((permission) => `**${language.t(`permission.${permission}`)}**`);
  return {
    title: `🔒 ${language.t('setup.missingPermissionsTitle')}`,
    description: language.t('setup.missingPermissions', { permissions: language.list(names) }),
    color: colours.warning,
  };
}

/** A placement failed: why, and what to do next. */
export function notPlacedEmbed(language: Language, sentences: readonly string[]): APIEmbed {
  return {
    title: `⚠️ ${language.t('setup.failedTitle')}`,
    description: sentences.join('\n'),
    color: colours.offline,
  };
}

function stateText(language: Language, state: PlacedState): string {
  if (state.state === 'shown') return language.t('post.shown', { url: state.url });
  if (state.state === 'failing') return language.t(`post.failing.${state.reason}`);
  return language.t(`post.${state.state}`);
}

/** All posts and alerts of a guild. `notice` reports the latest change. */
export function placementsEmbed(
  language: Language,
  entries: readonly PlacedEntry[],
  notice: string | null,
): APIEmbed {
  const lines = entries.map(({ channelId, names, state, details, fixed }) => {
    const config = fixed ? [language.t('setup.listConfig')] : [];
    return [
      `**${contentName(language, names)}** · <#${channelId}>`,
      `-# ${[stateText(language, state), ...details, ...config].join(' · ')}`,
    ].join('\n');
  });
  const list = linesWithin(language, lines, embedLimits.description - 700);
  return {
    title: language.t('setup.listTitle'),
    description: [
      ...(notice === null ? [] : [notice, '']),
      lines.length === 0 ? language.t('setup.listEmpty') : list,
      '',
      language.t('setup.listNext'),
    ].join('\n'),
    color: colours.accent,
  };
}
