import type { Server } from '../../../api/resources.ts';
import type { AlertRules } from '../../../config/schema/channel-jobs.ts';
import type { Alert, EndedAlert } from '../../../embeds/alert.ts';
import { checkGapMs } from '../../limits.ts';

/** One server at one moment. */
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

/** What the rules keep for a server between two checks. Each part is null before its first event. Times are epoch milliseconds. */
export interface AlertState {
  /** The current outage: when it started, when it was last observed, and when the server last answered (null: unknown). */
  down: { since: number; seenAt: number; answeredAt: number | null; isPosted: boolean } | null;
  /** Whether the count was below the threshold at the last check, and when the last alert was sent. */
  players: { below: boolean; sentAt: number | null } | null;
  /** The restart that was announced. */
  restart: { announcedFor: number } | null;
  /** By kind, the latest alert that still holds. */
  standing: Partial<Record<Alert['kind'], StandingAlert>>;
}

/** What is known of a server before its first check. */
export const noState: AlertState = { down: null, players: null, restart: null, standing: {} };

interface DueAlert {
  alert: Alert;
  /** The same in each attempt to send this alert, another one for the next alert of its kind. */
  event: number;
  /** The role that it mentions. */
  roleId?: string | undefined;
}

/** The result of a rule for one server. */
interface RuleResult {
  /** The state to keep once the alert, if there is one, has been sent. */
  state: AlertState;
  due: DueAlert | null;
  /** The state to keep while the alert could not be sent; left out: the previous state. */
  unsent?: AlertState | undefined;
}

type Rule = (rules: AlertRules, state: AlertState, observation: ServerObservation) => RuleResult;

const minute = 60_000;
const isLongGap = (seenAt: number, now: number): boolean => now - seenAt > checkGapMs;

const down: Rule = ({ down: rule }, state, { server, now, lastAnswerAt, isAwayAsPlanned }) => {
  const before = state.down;
  // A failed check proves neither state.
  if (rule === undefined || server.status === 'UNKNOWN') return { state, due: null };
  if (server.status === 'ONLINE') {
    if (before === null) return { state, due: null };
    const awayMs = isLongGap(before.seenAt, now) ? null : now - before.since;
    const due = before.isPosted ? { alert: { kind: 'up' as const, awayMs }, event: before.since } : null;
    return { state: { ...state, down: null }, due };
  }
  const isNew = before === null || (!before.isPosted && isLongGap(before.seenAt, now));
  const answeredAt = (isNew ? null : before.answeredAt) ?? lastAnswerAt;
  // An outage starts at the last answer, unless that is so old that nobody can have been checking since.
  const start = answeredAt !== null && !isLongGap(answeredAt, now) ? answeredAt : now;
  const outage = { since: isNew ? start : before.since, seenAt: now, answeredAt };
  const stateWith = (isPosted: boolean): AlertState => ({ ...state, down: { ...outage, isPosted } });
  const isPosted = before?.isPosted ?? false;
  const isDue = !isPosted && !isAwayAsPlanned && now - outage.since >= rule.afterMinutes * minute;
  if (!isDue) return { state: stateWith(isPosted), due: null };
  const alert = { kind: 'down' as const, lastAnswerAt: answeredAt };
  return {
    state: stateWith(true),
    unsent: stateWith(false),
    due: { alert, event: outage.since, roleId: rule.roleId },
  };
};

const players: Rule = ({ players: rule }, state, { server, now }) => {
  const { players: count, maxPlayers } = server;
  if (rule === undefined || server.status !== 'ONLINE' || count === null) return { state, due: null };
  const below = count < rule.atLeast;
  const sentAt = state.players?.sentAt ?? null;
  const isCooledDown = sentAt === null || now - sentAt >= rule.cooldownMinutes * minute;
  // The first check has nothing to compare with. A change during the cooldown is dropped.
  if (below || !state.players?.below || !isCooledDown)
    return { state: { ...state, players: { below, sentAt } }, due: null };
  return {
    state: { ...state, players: { below, sentAt: now } },
    due: { alert: { kind: 'players', players: count, maxPlayers }, event: sentAt ?? 0, roleId: rule.roleId },
  };
};

const restart: Rule = ({ restart: rule }, state, { server, nextRestart: at, now }) => {
  if (rule === undefined || at === null || server.status === 'OFFLINE') return { state, due: null };
  const isDue = at - now <= rule.minutesBefore * minute && state.restart?.announcedFor !== at;
  if (!isDue) return { state, due: null };
  return {
    state: { ...state, restart: { announcedFor: at } },
    due: { alert: { kind: 'restart', at }, event: at, roleId: rule.roleId },
  };
};

/** The first alert that is due, by all rules. `unsent` is the state to keep while it could not be sent. */
export function nextAlert(
  rules: AlertRules,
  before: AlertState,
  observation: ServerObservation,
): RuleResult & { unsent: AlertState } {
  let state = before;
  for (const rule of [down, players, restart]) {
    const result = rule(rules, state, observation);
    if (result.due !== null) return { ...result, unsent: result.unsent ?? state };
    state = result.state;
  }
  return { state, due: null, unsent: state };
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
