import type { Server } from '../../../api/resources.ts';
import type { AlertRules } from '../../../commands/ports/placements.ts';
import type { Alert, EndedAlert } from '../../../embeds/alert.ts';
import { nonceTrustMs } from '../timing.ts';

/** The alerts of one channel: which rules, for which servers. */
export interface AlertOptions extends AlertRules {
  servers: readonly string[];
}

/** The input of a check: one server at one moment. */
export interface ServerObservation {
  server: Server;
  /** Epoch milliseconds. */
  nextRestart: number | null;
  /** It is down, and its schedules say that it is away now. */
  isAwayAsPlanned: boolean;
  /** When the server last answered; null: unknown, or it answers now. */
  lastAnswerAt: number | null;
  now: number;
}

/** An alert in the channel that still holds. Once it is over, its message is edited to say so. */
export interface StandingAlert {
  alert: Alert;
  /** Epoch milliseconds. */
  sentAt: number;
  /** The role that it mentions. */
  roleId?: string | undefined;
  /** It is over, and its message does not say so yet. */
  ended?: EndedAlert | undefined;
}

/**
 * What the rules keep for a server between two checks. Each part is null before its first event. Times are epoch milliseconds.
 * An outage goes through these states:
 *
 * - null: the server answers.
 * - `waits`: it is down, and its alert is not due, or could not be sent yet.
 * - `posted`: its alert is in the channel. Once the server answers, another one says so.
 * - `leftOut`: Discord did not take the alert. No other one follows.
 */
export interface AlertState {
  /**
   * The current outage: when it started, when it was last observed, and its alert. `answeredAt` is when the server last
   * answered; null: unknown.
   */
  down: {
    since: number;
    seenAt: number;
    alert: 'waits' | 'posted' | 'leftOut';
    answeredAt: number | null;
  } | null;
  /**
   * Whether the count was below the threshold at the last check, and when the last alert was sent. `dueAt` is when Discord was
   * first asked to take the next one. After three minutes with fewer players, an alert is another one.
   */
  players: { below: boolean; sentAt: number | null; dueAt?: number } | null;
  /** The restart that was announced. */
  restart: { announcedFor: number } | null;
  /** By kind, the latest alert that still holds. */
  standing: Partial<Record<Alert['kind'], StandingAlert>>;
}

/** The result of one rule for one server. */
interface RuleResult {
  /** The state to keep once the alert, if there is one, has been sent. */
  state: AlertState;
  /** The state to keep while the alert could not be sent; left out: the previous state. */
  unsent?: AlertState | undefined;
  /** The state to keep where the alert is left out; left out: `state`. */
  leftOut?: AlertState | undefined;
  alert: Alert | null;
  /** Of the alert: the same in each attempt to send it, another one for the next alert of its kind. */
  event?: number | undefined;
  /** The role that the alert mentions. */
  roleId?: string | undefined;
}

const minute = 60_000;
/** After a longer gap between checks, the length of an outage is unknown, and so is whether it was a single one. */
const longestGapMs = 10 * minute;

/** An outage starts at the last answer, unless that is so old that nobody can have been checking since. */
const startOfOutage = (answeredAt: number | null, now: number): number =>
  answeredAt !== null && now - answeredAt <= longestGapMs ? answeredAt : now;

const isLongGap = (seenAt: number, now: number): boolean => now - seenAt > longestGapMs;

function down({ down: rule }: AlertRules, state: AlertState, observation: ServerObservation): RuleResult {
  const { server, now, lastAnswerAt, isAwayAsPlanned } = observation;
  const previous = state.down;
  // A failed check proves neither state.
  if (rule === undefined || server.status === 'UNKNOWN') return { state, alert: null };
  if (server.status === 'OFFLINE') {
    const alert = previous?.alert ?? 'waits';
    const isNew = previous === null || (alert === 'waits' && isLongGap(previous.seenAt, now));
    const answeredAt = (isNew ? null : previous.answeredAt) ?? lastAnswerAt;
    const since = isNew ? startOfOutage(answeredAt, now) : previous.since;
    const stateWith = (changed: NonNullable<AlertState['down']>['alert']): AlertState => ({
      ...state,
      down: { since, seenAt: now, alert: changed, answeredAt },
    });
    const isDue = alert === 'waits' && !isAwayAsPlanned && now - since >= rule.afterMinutes * minute;
    if (!isDue) return { state: stateWith(alert), alert: null };
    return {
      state: stateWith('posted'),
      unsent: stateWith('waits'),
      leftOut: stateWith('leftOut'),
      alert: { kind: 'down', lastAnswerAt: answeredAt },
      event: since,
      roleId: rule.roleId,
    };
  }
  if (previous === null) return { state, alert: null };
  const awayMs = isLongGap(previous.seenAt, now) ? null : now - previous.since;
  const alert: Alert | null = previous.alert === 'posted' ? { kind: 'up', awayMs } : null;
  return { state: { ...state, down: null }, alert, event: previous.since };
}

function players(
  { players: rule }: AlertRules,
  state: AlertState,
  { server, now }: ServerObservation,
): RuleResult {
  const { players, maxPlayers } = server;
  if (rule === undefined || server.status !== 'ONLINE' || players === null) return { state, alert: null };
  const below = players < rule.atLeast;
  const sentAt = state.players?.sentAt ?? null;
  const isCooledDown = sentAt === null || now - sentAt >= rule.cooldownMinutes * minute;
  // The first check has nothing to compare with. A change during the cooldown is dropped.
  if (below || !state.players?.below || !isCooledDown) {
    const { dueAt: before = -Infinity } = state.players ?? {};
    const isRecent = below && now - before <= nonceTrustMs;
    return {
      state: { ...state, players: { below, sentAt, ...(isRecent && { dueAt: before }) } },
      alert: null,
    };
  }
  const alert: Alert = { kind: 'players', players, maxPlayers };
  const { dueAt = now } = state.players;
  return {
    state: { ...state, players: { below, sentAt: now } },
    unsent: { ...state, players: { ...state.players, dueAt } },
    alert,
    event: dueAt,
    roleId: rule.roleId,
  };
}

function restart(
  { restart: rule }: AlertRules,
  state: AlertState,
  { server, nextRestart: at, now }: ServerObservation,
): RuleResult {
  if (rule === undefined || at === null || server.status === 'OFFLINE') return { state, alert: null };
  const due = at - now <= rule.minutesBefore * minute && state.restart?.announcedFor !== at;
  if (!due) return { state, alert: null };
  return {
    state: { ...state, restart: { announcedFor: at } },
    alert: { kind: 'restart', at },
    event: at,
    roleId: rule.roleId,
  };
}

/** What an alert's message is to say now that it is over; null: it still holds. `state` is that of the check before. */
export function endOf(
  { alert, sentAt }: StandingAlert,
  { players: rule }: AlertRules,
  state: AlertState,
  { server, now }: Pick<ServerObservation, 'server' | 'now'>,
): EndedAlert | null {
  const isOnline = server.status === 'ONLINE';
  switch (alert.kind) {
    case 'down': {
      const isUnknown = state.down === null || isLongGap(state.down.seenAt, now);
      const until = isUnknown ? null : now;
      return isOnline ? { kind: 'wasDown', from: alert.lastAnswerAt, until } : null;
    }
    case 'players': {
      const haveLeft = isOnline && server.players !== null && server.players < (rule?.atLeast ?? 0);
      const isOver = haveLeft || server.status === 'OFFLINE';
      return isOver ? { kind: 'playersLeft', players: alert.players, from: sentAt, until: now } : null;
    }
    case 'restart':
      return now >= alert.at ? { kind: 'restarted', at: alert.at } : null;
    case 'up':
      return null;
  }
}

/** One function per rule. Each gets the state that the one before returned. */
export const alertEvaluators = [down, players, restart] as const;
