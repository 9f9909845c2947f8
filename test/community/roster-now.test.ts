import { describe, expect, it } from 'vitest';
import { rosterNow } from '../../src/community/roster-now.ts';
import type { StoredRoster } from '../../src/server/store/repositories/logs/rosters.ts';

const asOf = Date.parse('2026-03-01T12:00:00Z');
const minute = 60_000;
/** The log's clock is two hours ahead. */
const loggedAt = asOf + 120 * minute;
const roster = (over: Partial<StoredRoster> = {}): StoredRoster => ({
  header: '2026-03-01 12:00:00',
  isComplete: true,
  listedAt: loggedAt,
  loggedAt,
  asOf,
  pollEveryMs: 1_000,
  players: [
    ['a', { name: 'Anna', connectedAt: loggedAt - 10 * minute, absentAt: null }],
    ['b', { name: 'Bert', connectedAt: null, absentAt: null }],
    ['c', { name: 'Cid', connectedAt: loggedAt - 10_000, absentAt: loggedAt - 10_000 }],
  ],
  unnamed: new Set(),
  ...over,
});

describe('what a stored roster says of now', () => {
  it('counts by the clock of the log, in whatever zone', () => {
    expect(rosterNow(roster(), asOf + 10_000)).toEqual({
      players: [
        { name: 'Anna', seconds: 610, isLoading: false },
        { name: 'Bert', seconds: null, isLoading: false },
        { name: 'Cid', seconds: 20, isLoading: true },
      ],
      unnamed: 0,
      asOf,
      isComplete: true,
    });
    expect(rosterNow(roster(), asOf + minute).players?.[2]).toMatchObject({ isLoading: false });
  });

  it('leaves out who is hidden or forgotten, and counts them', () => {
    const { players, unnamed } = rosterNow(roster({ unnamed: new Set(['b']) }), asOf);
    expect(players?.map(({ name }) => name)).toEqual(['Anna', 'Cid']);
    expect(unnamed).toBe(1);
  });

  it.each([
    ['of a server that lists its players every five minutes', {}, 6],
    ['without lists', { listedAt: null }, 30],
    ['that a provider hands over in batches', { pollEveryMs: 5 * minute }, 36],
  ])('is nothing once a log %s is silent', (_, over, minutes) => {
    const limit = asOf + minutes * minute;
    expect(rosterNow(roster(over), limit).players).toHaveLength(3);
    expect(rosterNow(roster(over), limit + 10_000)).toEqual({ players: null, asOf, isComplete: true });
  });
});
