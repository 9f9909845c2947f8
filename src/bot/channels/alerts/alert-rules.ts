import type { Server } from '../../../api/resources.ts';
import type { AlertRules, PlayerAlertRules } from '../../../commands/ports/placements.ts';
import type { Alert } from '../../../embeds/alert.ts';
import type { PlacedConfig } from '../placed-config.ts';

/** The alerts of one channel: which rules, for which servers. */
export interface AlertConfig extends AlertRules, PlayerAlertRules, PlacedConfig {
  servers: readonly string[];
}

/** The input of a check: one server at one moment. */
interface ServerObservation {
  server: Server;
  /** Epoch milliseconds. */
  nextRestart: number | null;
  /** It is down, and its schedules say that it is away now. */
  isAwayAsPlanned: boolean;
  /** When the server last answered, epoch milliseconds by the wall clock; null: unknown, or it answers now. */
  lastAnswerAt: number | null;
  /** Epoch milliseconds by the wall clock. */
  now: number;
  /** The same moment by a clock that is never set. Durations are measured with it. */
  steady: number;
}

/** What the rules keep for a server between two checks, in steady time. Each part is null before its first event. */
export interface AlertState {
  /**
   * The current outage: when it started, when it was last observed, and whether its alert was sent. `answeredAt` is when
   * the server last answered; null or left out: unknown.
   */
  down: { since: number; seenAt: number; sent: boolean; answeredAt?: number | null } | null;
  /** Whether the count was below the threshold at the last check, and when the last alert was sent. */
  players: { below: boolean; sentAt: number | null } | null;
  /** The restart that was announced: epoch milliseconds by the wall clock, and in steady time where that is known. */
  restart: { announcedFor: number; startsAt?: number } | null;
  /** The nonces of alerts that are due, stored before the first attempt: the next process repeats it with the same one. */
  nonces?: Partial<Record<Alert['kind'], string>> | undefined;
  /** When the service made the check that led to this state: epoch milliseconds by its wall clock. */
  checkedAt?: number | undefined;
}

/** Restores the state that an earlier process stored. That process's clock may have been ahead, so future moments become now. */
export function restoreAlertState(
  steady: number,
  { down = null, players = null, restart = null, ...others }: Partial<AlertState>,
): AlertState {
  const past = (moment: number): number => Math.min(moment, steady);
  return {
    ...others,
    down: down && {
      ...down,
      since: past(down.since),
      seenAt: past(down.seenAt),
      answeredAt: down.answeredAt ? past(down.answeredAt) : null,
    },
    players: players && { ...players, sentAt: players.sentAt ? past(players.sentAt) : null },
    // Steady time differs between processes, so `startsAt` is dropped.
    restart: restart && { announcedFor: restart.announcedFor },
  };
}

/**
 * Whether an observation was made before the one that led to the state. A process that takes over reads what is stored, which
 * may be older than what the last one acted on.
 */
export function isEarlier({ checkedAt }: Server, state: AlertState): boolean {
  if (checkedAt === null || state.checkedAt === undefined) return false;
  const byMs = state.checkedAt - Date.parse(checkedAt);
  return byMs > 0 && byMs < longestTakeoverMs;
}

/** The result of one rule for one server. */
interface RuleResult {
  /** The state to keep once the alert, if there is one, has been sent. */
  state: AlertState;
  /** The state to keep when the alert could not be sent; left out: the previous state. */
  unsentState?: AlertState | undefined;
  alert: Alert | null;
  /** The event behind alerts of this kind is over: the next alert gets a new nonce. */
  over?: Alert['kind'] | undefined;
  /** The role that the alert mentions. */
  roleId?: string | undefined;
}

const minute = 60_000;
/** A takeover is shorter. A check that is older by more was made before the clock was set. */
const longestTakeoverMs = minute;
/** After a longer gap between checks, the length of an outage is unknown, and so is whether it was a single one. */
const longestGapMs = 10 * minute;
/** Restarts this close together are the same one, seen before and after the wall clock was set. Schedules are in whole minutes. */
const sameRestartMs = minute / 2;

/** An outage starts at the last answer, unless that is so old that nobody can have been checking since. */
const startOfOutage = (answeredAt: number | null, steady: number): number =>
  answeredAt !== null && steady - answeredAt <= longestGapMs ? answeredAt : steady;

function down({ down: rule }: AlertRules, state: AlertState, observation: ServerObservation): RuleResult {
  const { server, now, steady, lastAnswerAt, isAwayAsPlanned } = observation;
  const previous = state.down;
  // A failed check proves neither state.
  if (rule === undefined || server.status === 'UNKNOWN') return { state, alert: null };
  if (server.status === 'OFFLINE') {
    const wasSent = previous?.sent ?? false;
    const isNew = previous === null || (!wasSent && steady - previous.seenAt > longestGapMs);
    const lastAnswer = lastAnswerAt === null ? null : steady - Math.max(0, now - lastAnswerAt);
    const answeredAt = (isNew ? null : previous.answeredAt) ?? lastAnswer;
    const since = isNew ? startOfOutage(answeredAt, steady) : previous.since;
    const due = !wasSent && !isAwayAsPlanned && steady - since >= rule.afterMinutes * minute;
    const stateWith = (sent: boolean): AlertState => ({
      ...state,
      down: { since, seenAt: steady, sent, answeredAt },
    });
    const alert: Alert | null = due
      ? { kind: 'down', lastAnswerAt: answeredAt === null ? null : now - (steady - answeredAt) }
      : null;
    return {
      state: stateWith(wasSent || due),
      unsentState: stateWith(wasSent),
      alert,
      roleId: rule.roleId,
    };
  }
  if (previous === null) return { state, alert: null };
  const awayMs = steady - previous.seenAt > longestGapMs ? null : steady - previous.since;
  const alert: Alert | null = previous.sent ? { kind: 'up', awayMs } : null;
  return { state: { ...state, down: null }, alert, over: 'down' };
}

function players(
  { players: rule }: AlertRules,
  state: AlertState,
  { server, steady }: ServerObservation,
): RuleResult {
  const { players, maxPlayers } = server;
  if (rule === undefined || server.status !== 'ONLINE' || players === null) return { state, alert: null };
  const below = players < rule.atLeast;
  const sentAt = state.players?.sentAt ?? null;
  const isCooledDown = sentAt === null || steady - sentAt >= rule.cooldownMinutes * minute;
  // The first check has nothing to compare with. A change during the cooldown is dropped.
  if (below || !state.players?.below || !isCooledDown) {
    return {
      state: { ...state, players: { below, sentAt } },
      alert: null,
      ...(below && { over: 'players' }),
    };
  }
  const alert: Alert = { kind: 'players', players, maxPlayers };
  return { state: { ...state, players: { below, sentAt: steady } }, alert, roleId: rule.roleId };
}

function restart(
  { restart: rule }: AlertRules,
  state: AlertState,
  { server, nextRestart: at, now, steady }: ServerObservation,
): RuleResult {
  if (rule === undefined || at === null || server.status === 'OFFLINE') return { state, alert: null };
  const startsAt = steady + (at - now);
  const isAnnounced =
    state.restart?.announcedFor === at ||
    Math.abs(startsAt - (state.restart?.startsAt ?? -Infinity)) < sameRestartMs;
  const due = at - now <= rule.minutesBefore * minute && !isAnnounced;
  if (!due) return { state, alert: null, over: 'restart' };
  return {
    state: { ...state, restart: { announcedFor: at, startsAt } },
    alert: { kind: 'restart', at },
    roleId: rule.roleId,
  };
}

/**
 * The state in which an alert has been sent for everything that a check found. Used after a restore, because it is
 * unknown which alerts were sent since the backup.
 * @returns null when the check does not say how the server is
 */
export function allSent(rules: AlertRules, observation: ServerObservation): AlertState | null {
  const { server, nextRestart, now, steady } = observation;
  if (server.status === 'UNKNOWN') return null;
  const mayBeAnnounced =
    rules.restart !== undefined &&
    nextRestart !== null &&
    nextRestart - now <= rules.restart.minutesBefore * minute;
  return {
    down: server.status === 'OFFLINE' ? { since: steady, seenAt: steady, sent: true } : null,
    players: rules.players === undefined ? null : { below: false, sentAt: steady },
    restart: mayBeAnnounced ? { announcedFor: nextRestart, startsAt: steady + (nextRestart - now) } : null,
  };
}

/** One function per rule. Each gets the state that the one before returned. */
export const alertEvaluators = [down, players, restart] as const;
