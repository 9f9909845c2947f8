import { describe, expect, it } from 'vitest';
import type { Server } from '../../../../src/api/resources.ts';
import { nextAlert, noState } from '../../../../src/bot/channels/kinds/alert-rules.ts';
import type { AlertRules } from '../../../../src/config/schema/channel-jobs.ts';
import type { Alert } from '../../../../src/embeds/alert.ts';
import * as data from '../../../embeds/contract-data.ts';

interface Check {
  /** Minutes since the first check. */
  at: number;
  status?: Server['status'];
  players?: number | null;
  /** Minutes. */
  nextRestart?: number;
  /** Minutes. */
  lastAnswer?: number;
  isAwayAsPlanned?: boolean;
}

/** The alerts that these checks send, by minute. At the minutes in `lost`, sending fails. */
function sent(rules: AlertRules, checks: readonly Check[], lost: readonly number[] = []): [number, Alert][] {
  let state = noState;
  const alerts: [number, Alert][] = [];
  for (const { at, status = 'ONLINE', players = 10, nextRestart, lastAnswer, ...check } of checks) {
    const server = data.server({ status, players: status === 'ONLINE' ? players : null, maxPlayers: 60 });
    const observation = {
      server,
      nextRestart: nextRestart === undefined ? null : nextRestart * 60_000,
      lastAnswerAt: lastAnswer === undefined ? null : lastAnswer * 60_000,
      isAwayAsPlanned: check.isAwayAsPlanned ?? false,
      now: at * 60_000,
    };
    const { state: next, unsent, due } = nextAlert(rules, state, observation);
    const isLost = due !== null && lost.includes(at);
    if (due !== null && !isLost) alerts.push([at, due.alert]);
    state = isLost ? unsent : next;
  }
  return alerts;
}

const down = { down: { afterMinutes: 3 } };

describe('an alert that a server is down', () => {
  const every = (minutes: readonly number[], status: Server['status']): Check[] =>
    minutes.map((at) => ({ at, status }));

  it('comes once, after the time that an absence may last, and once more when it is back', () => {
    const checks = [
      ...every([0], 'ONLINE'),
      ...every([1, 2, 3, 4, 5, 6, 7], 'OFFLINE'),
      ...every([8, 9], 'ONLINE'),
    ];
    expect(sent(down, checks)).toEqual([
      [4, { kind: 'down', lastAnswerAt: null }],
      [8, { kind: 'up', awayMs: 7 * 60_000 }],
    ]);
  });

  it('counts from the last answer, and says when that was', () => {
    const checks = [
      ...every([10], 'ONLINE'),
      ...[12, 13, 14].map((at) => ({ at, status: 'OFFLINE' as const, lastAnswer: 10 })),
    ];
    expect(sent(down, checks)).toEqual([[13, { kind: 'down', lastAnswerAt: 10 * 60_000 }]]);
  });

  it('waits the full time where nobody checked since the last answer, and still says when that was', () => {
    const checks = [300, 301, 302, 303].map((at) => ({ at, status: 'OFFLINE' as const, lastAnswer: 10 }));
    expect(sent(down, checks)).toEqual([[303, { kind: 'down', lastAnswerAt: 10 * 60_000 }]]);
  });

  it('does not come for a restart of the server', () => {
    const checks = [...every([0], 'ONLINE'), ...every([1, 2, 3], 'OFFLINE'), ...every([4, 5], 'ONLINE')];
    expect(sent(down, checks)).toEqual([]);
  });

  it('waits until a planned absence is over', () => {
    const planned = [1, 5, 10, 15].map((at) => ({ at, status: 'OFFLINE' as const, isAwayAsPlanned: true }));
    expect(sent(down, [...planned, ...every([16], 'ONLINE')])).toEqual([]);
    const later = [...planned, ...every([16], 'OFFLINE'), ...every([17], 'ONLINE')];
    expect(sent(down, later)).toEqual([
      [16, { kind: 'down', lastAnswerAt: null }],
      [17, { kind: 'up', awayMs: 16 * 60_000 }],
    ]);
  });

  it('counts what could not be checked as neither', () => {
    const checks = [...every([1, 2], 'OFFLINE'), ...every([3, 4, 5, 6], 'UNKNOWN'), ...every([7], 'OFFLINE')];
    expect(sent(down, checks).map(([at]) => at)).toEqual([7]);
    expect(sent(down, every([0, 5, 10, 15], 'UNKNOWN'))).toEqual([]);
  });

  it('that could not be sent is not sent when it no longer holds', () => {
    const checks = [...every([1, 2, 3, 4, 5], 'OFFLINE'), ...every([6], 'ONLINE')];
    expect(sent(down, checks, [4, 5])).toEqual([]);
    expect(sent(down, checks, [4]).map(([at, { kind }]) => [at, kind])).toEqual([
      [5, 'down'],
      [6, 'up'],
    ]);
  });

  it('starts again after a long time without a check: the server may have been back meanwhile', () => {
    const checks = [...every([0], 'ONLINE'), ...every([1, 300, 301, 302, 303], 'OFFLINE')];
    expect(sent(down, checks)).toEqual([[303, { kind: 'down', lastAnswerAt: null }]]);
  });

  it('reports the whole outage after a long time in which the alert could not be sent', () => {
    const minutes = Array.from({ length: 40 }, (_, index) => index + 1);
    expect(sent(down, every(minutes, 'OFFLINE'), minutes.slice(0, 30))).toEqual([
      [31, { kind: 'down', lastAnswerAt: null }],
    ]);
  });

  it('names no time of absence that nobody saw', () => {
    const checks = [...every([1, 2, 3, 4], 'OFFLINE'), ...every([300], 'ONLINE')];
    expect(sent(down, checks).at(-1)).toEqual([300, { kind: 'up', awayMs: null }]);
  });
});

describe('an alert that many are playing', () => {
  const rule = { players: { atLeast: 40, cooldownMinutes: 60 } };
  const counts = (...checks: [number, number | null][]): Check[] =>
    checks.map(([at, players]) => ({ at, players }));

  it('comes when the count gets there, not while it stays', () => {
    expect(sent(rule, counts([0, 30], [1, 41], [2, 45], [90, 50]))).toEqual([
      [1, { kind: 'players', players: 41, maxPlayers: 60 }],
    ]);
  });

  it('does not come again before its cooldown is over', () => {
    const times = (checks: Check[]) => sent(rule, checks).map(([at]) => at);
    expect(times(counts([0, 30], [1, 40], [2, 39], [3, 40], [60, 39], [62, 42]))).toEqual([1, 62]);
    expect(times(counts([0, 30], [1, 40], [2, 39], [3, 40], [70, 41]))).toEqual([1]);
  });

  it('does not come because the bot has just started, or for a count that is not known', () => {
    expect(sent(rule, counts([0, 50], [1, 51]))).toEqual([]);
    expect(sent(rule, counts([0, 30], [1, null], [2, 20]))).toEqual([]);
    expect(
      sent(rule, [{ at: 0, players: 30 }, { at: 1, status: 'OFFLINE' }, ...counts([2, 41])]),
    ).toHaveLength(1);
  });
});

describe('an alert before a restart', () => {
  const rule = { restart: { minutesBefore: 15 } };

  it('comes once for each', () => {
    const checks = [0, 10, 44, 46, 50, 59].map((at) => ({ at, nextRestart: 60 }));
    const later = [61, 100, 106].map((at) => ({ at, nextRestart: 120 }));
    expect(sent(rule, [...checks, ...later])).toEqual([
      [46, { kind: 'restart', at: 3_600_000 }],
      [106, { kind: 'restart', at: 7_200_000 }],
    ]);
  });

  it('does not come for a server that is down anyway', () => {
    expect(sent(rule, [{ at: 50, status: 'OFFLINE', nextRestart: 60 }])).toEqual([]);
  });
});
