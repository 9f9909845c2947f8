import type { Server } from '../../api/resources.ts';
import type { AlertRules } from '../../commands/placements.ts';
import type { Alert } from '../../embeds/alert.ts';

/** What is seen of a server now. */
export interface ServerObservation {
  server: Server;
  /** Epoch milliseconds. */
  nextRestart: number | null;
  /** When the server last answered, epoch milliseconds by the wall clock; null: not known, or it does so now. */
  lastAnswerAt: number | null;
  /** Epoch milliseconds by the wall clock. */
  now: number;
  /** The same by a clock that was never set: how long something has lasted is measured with it. */
  steady: number;
}

/** What a rule has to remember of a server from one look to the next, in steady time; each part is null before the first. */
export interface AlertState {
  /**
   * The present absence: since when it counts, when it was last seen, and whether it was told. `answeredAt` is when the
   * server last answered; null or left out: not known.
   */
  down: { since: number; seenAt: number; told: boolean; answeredAt?: number | null } | null;
  /** Whether the count was below the threshold at the last look, and when it was told to have reached it. */
  players: { below: boolean; toldAt: number | null } | null;
  /** When the announced restart starts: epoch milliseconds by the wall clock, and in steady time where it is known. */
  restart: { toldFor: number; startsAt?: number } | null;
}

export const initialAlertState: AlertState = { down: null, players: null, restart: null };

/** What an earlier process remembered, whose clock may have been ahead: nothing lies in the future. */
export function clampToPresent(steady: number, { down, players, restart }: AlertState): AlertState {
  const past = (moment: number): number => Math.min(moment, steady);
  return {
    down: down && {
      ...down,
      since: past(down.since),
      seenAt: past(down.seenAt),
      answeredAt: down.answeredAt ? past(down.answeredAt) : null,
    },
    players: players && { ...players, toldAt: players.toldAt && past(players.toldAt) },
    // Another process has another steady time.
    restart: restart && { toldFor: restart.toldFor },
  };
}

/** What a look at a server means. */
export interface Step {
  /** What to remember, once the alert, if there is one, has been told. */
  memory: AlertState;
  /** What to remember when it could not be told; left out: what was remembered before. */
  untold?: AlertState | undefined;
  alert: Alert | null;
  /** When an alert will be due if nothing changes, from now on. */
  dueInMs?: number | undefined;
  /** Mentioned with the alert. */
  roleId?: string | undefined;
}

const minute = 60_000;
/** Who has not looked for longer cannot tell how long a server was away, nor whether it was away all the while. */
const longestBlinkMs = 10 * minute;
/** Restarts this close together are one: the wall clock was set by a day. Schedules are in whole minutes. */
const sameRestartMs = minute / 2;

/** An absence counts from the last answer, unless that is so long ago that nobody can have been checking. */
const startOfAbsence = (answeredAt: number | null, steady: number): number =>
  answeredAt !== null && steady - answeredAt <= longestBlinkMs ? answeredAt : steady;

function down({ down: rule }: AlertRules, memory: AlertState, sight: ServerObservation): Step {
  const { server, now, steady, lastAnswerAt } = sight;
  const before = memory.down;
  // What could not be checked is neither down nor back.
  if (rule === undefined || server.status === 'UNKNOWN') return { memory, alert: null };
  if (server.status === 'OFFLINE') {
    const wasTold = before?.told ?? false;
    const isAnother = before === null || (!wasTold && steady - before.seenAt > longestBlinkMs);
    const lastAnswer = lastAnswerAt === null ? null : steady - Math.max(0, now - lastAnswerAt);
    const answeredAt = (isAnother ? null : before.answeredAt) ?? lastAnswer;
    const since = isAnother ? startOfAbsence(answeredAt, steady) : before.since;
    const dueInMs = since + rule.afterMinutes * minute - steady;
    const due = !wasTold && dueInMs <= 0;
    const remembering = (told: boolean): AlertState => ({
      ...memory,
      down: { since, seenAt: steady, told, answeredAt },
    });
    const alert: Alert | null = due
      ? { kind: 'down', lastAnswerAt: answeredAt === null ? null : now - (steady - answeredAt) }
      : null;
    const open = wasTold || due ? {} : { dueInMs };
    return {
      memory: remembering(wasTold || due),
      untold: remembering(wasTold),
      alert,
      roleId: rule.roleId,
      ...open,
    };
  }
  if (before === null) return { memory, alert: null };
  const awayMs = steady - before.seenAt > longestBlinkMs ? null : steady - before.since;
  return { memory: { ...memory, down: null }, alert: before.told ? { kind: 'up', awayMs } : null };
}

function players(
  { players: rule }: AlertRules,
  memory: AlertState,
  { server, steady }: ServerObservation,
): Step {
  const { players, maxPlayers } = server;
  if (rule === undefined || server.status !== 'ONLINE' || players === null) return { memory, alert: null };
  const below = players < rule.atLeast;
  const toldAt = memory.players?.toldAt ?? null;
  // The first look sees a state and no change; within the cooldown, a change is let go.
  const rested = toldAt === null || steady - toldAt >= rule.cooldownMinutes * minute;
  if (below || !memory.players?.below || !rested) {
    return { memory: { ...memory, players: { below, toldAt } }, alert: null };
  }
  const told = { below, toldAt: steady };
  const alert: Alert = { kind: 'players', players, maxPlayers };
  return { memory: { ...memory, players: told }, alert, roleId: rule.roleId };
}

function restart(
  { restart: rule }: AlertRules,
  memory: AlertState,
  { server, nextRestart: at, now, steady }: ServerObservation,
): Step {
  if (rule === undefined || at === null || server.status === 'OFFLINE') return { memory, alert: null };
  const startsAt = steady + (at - now);
  const isAnnounced =
    memory.restart?.toldFor === at ||
    Math.abs(startsAt - (memory.restart?.startsAt ?? -Infinity)) < sameRestartMs;
  const due = at - now <= rule.minutesBefore * minute && !isAnnounced;
  if (!due) return { memory, alert: null };
  return {
    memory: { ...memory, restart: { toldFor: at, startsAt } },
    alert: { kind: 'restart', at },
    roleId: rule.roleId,
  };
}

/** One function a rule, to be taken one after the other. */
export const alertEvaluators = [down, players, restart] as const;
