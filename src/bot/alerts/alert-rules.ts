import type { Server } from '../../api/resources.ts';
import type { AlertRules } from '../../commands/placements.ts';
import type { Alert } from '../../embeds/alert.ts';

/** What is seen of a server now. */
export interface Sight {
  server: Server;
  /** Epoch milliseconds. */
  nextRestart: number | null;
  /** Epoch milliseconds by the wall clock. */
  now: number;
  /** The same by a clock that was never set: how long something has lasted is measured with it. */
  steady: number;
}

/** What a rule has to remember of a server from one look to the next, in steady time; each part is null before the first. */
export interface AlertMemory {
  /** The present absence: since when, when it was last seen, and whether it was told. */
  down: { since: number; seenAt: number; told: boolean } | null;
  /** Whether the count was below the threshold at the last look, and when it was told to have reached it. */
  players: { below: boolean; toldAt: number | null } | null;
  /** The start of the restart that was told, epoch milliseconds. */
  restart: { toldFor: number } | null;
}

export const nothingRemembered: AlertMemory = { down: null, players: null, restart: null };

/** What an earlier process remembered, whose clock may have been ahead: nothing lies in the future. */
export function notAfter(steady: number, { down, players, restart }: AlertMemory): AlertMemory {
  const past = (moment: number): number => Math.min(moment, steady);
  return {
    down: down && { ...down, since: past(down.since), seenAt: past(down.seenAt) },
    players: players && { ...players, toldAt: players.toldAt && past(players.toldAt) },
    restart,
  };
}

/** What a look at a server means. */
export interface Step {
  /** What to remember, once the alert, if there is one, has been told. */
  memory: AlertMemory;
  /** What to remember when it could not be told; left out: what was remembered before. */
  untold?: AlertMemory | undefined;
  alert: Alert | null;
  /** Mentioned with the alert. */
  roleId?: string | undefined;
}

const minute = 60_000;
/** Who has not looked for longer cannot tell how long a server was away, nor whether it was away all the while. */
const longestBlinkMs = 10 * minute;

function down({ down: rule }: AlertRules, memory: AlertMemory, { server, now, steady }: Sight): Step {
  const before = memory.down;
  // What could not be checked is neither down nor back.
  if (rule === undefined || server.status === 'UNKNOWN') return { memory, alert: null };
  if (server.status === 'OFFLINE') {
    const wasTold = before?.told ?? false;
    const isAnother = before === null || (!wasTold && steady - before.seenAt > longestBlinkMs);
    const since = isAnother ? steady : before.since;
    const due = !wasTold && steady - since >= rule.afterMinutes * minute;
    const remembering = (told: boolean): AlertMemory => ({
      ...memory,
      down: { since, seenAt: steady, told },
    });
    const alert: Alert | null = due ? { kind: 'down', since: now - (steady - since) } : null;
    return { memory: remembering(wasTold || due), untold: remembering(wasTold), alert, roleId: rule.roleId };
  }
  if (before === null) return { memory, alert: null };
  const awayMs = steady - before.seenAt > longestBlinkMs ? null : steady - before.since;
  return { memory: { ...memory, down: null }, alert: before.told ? { kind: 'up', awayMs } : null };
}

function players({ players: rule }: AlertRules, memory: AlertMemory, { server, steady }: Sight): Step {
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
  memory: AlertMemory,
  { server, nextRestart: at, now }: Sight,
): Step {
  if (rule === undefined || at === null || server.status === 'OFFLINE') return { memory, alert: null };
  const due = at - now <= rule.minutesBefore * minute && memory.restart?.toldFor !== at;
  if (!due) return { memory, alert: null };
  return {
    memory: { ...memory, restart: { toldFor: at } },
    alert: { kind: 'restart', at },
    roleId: rule.roleId,
  };
}

/** One function a rule, to be taken one after the other. */
export const alertSteps = [down, players, restart] as const;
