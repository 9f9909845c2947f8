import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { GameEvent } from 'dayz-files';
import { Roster } from '../../../../src/server/ingest/counting/roster.ts';
import { idA, idB, idC, sampleLogs, sampleServers } from '../fixture.ts';
import { type Age, makeLog } from './made-log.ts';
import { adderTo, linesAbout, type ListComparison, replay } from './roster-replay.ts';

const wrong = ({ wronglyOn, wronglyOff }: ListComparison): number => wronglyOn.length + wronglyOff.length;
const entries = ({ listed, wronglyOn }: ListComparison): number => listed + wronglyOn.length;
const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);
const seconds = (line: string): number => Date.parse(`1970-01-01T${line.slice(0, 8)}Z`) / 1000;

describe('names agree with the lists of players in every sample log', () => {
  const samples = sampleServers
    .flatMap(sampleLogs)
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }))
    .filter(({ text }) => text.includes('##### PlayerList log: '));
  const replayed = samples.map((sample) => ({ ...sample, lists: replay(sample.text) }));
  const lists = replayed.flatMap((sample) => sample.lists);

  test('99 of 100 are right, and no list has more than one who is wrong', () => {
    expect(lists.length).toBe(41);
    expect(sum(lists.map(wrong))).toBeLessThanOrEqual(sum(lists.map(entries)) / 100);
    expect(lists.filter((list) => wrong(list) > 1)).toEqual([]);
  });

  test('whoever is wrong has connected within two minutes and loads longer than most', () => {
    for (const { text, lists: ofLog } of replayed) {
      for (const { line, time, wronglyOn, wronglyOff } of ofLog) {
        expect(wronglyOff).toEqual([]);
        for (const id of wronglyOn) {
          const last = linesAbout(text, id, line).at(-1) ?? '';
          expect(last).toMatch(/is connected\s*$|is connected \(id=/);
          expect(seconds(time) - seconds(last)).toBeGreaterThan(38);
          expect(seconds(time) - seconds(last)).toBeLessThan(120);
        }
      }
    }
  });
});

describe.each([1.25, 1.28, 2026] as const)('in logs made from the grammar of %s', (age: Age) => {
  const logs = Array.from({ length: 8 }, (_, seed) => makeLog(seed + 1, { age }));
  const lists = logs.flatMap((text) => replay(text));

  test('99 of 100 names are right through crashes and restarts', () => {
    expect(lists.length).toBeGreaterThan(500);
    const sure = lists.filter(({ isComplete }) => isComplete);
    expect(sum(sure.map(wrong))).toBeLessThanOrEqual(sum(sure.map(entries)) / 100);
    expect(sure.filter((list) => wrong(list) > 1)).toEqual([]);
  });
});

const player = (id: string) => ({ id, name: id.slice(0, 1) });
const at = (minutes: number): number => minutes * 60_000;
const run = (header = '2026-03-01 12:00:00'): GameEvent => ({
  kind: 'run-started',
  at: 0,
  header,
  isRest: false,
});
const connected = (minutes: number, id: string): GameEvent => ({
  kind: 'connected',
  at: at(minutes),
  player: player(id),
});
const disconnected = (minutes: number, id: string): GameEvent => ({
  kind: 'disconnected',
  at: at(minutes),
  player: player(id),
});
const list = (minutes: number, ...ids: string[]): GameEvent => ({
  kind: 'player-list',
  at: at(minutes),
  players: ids.map(player),
});

let add: (event: GameEvent) => void;

function rosterAfter(...events: GameEvent[]): Roster {
  const roster = new Roster();
  add = adderTo(roster);
  for (const event of events) add(event);
  return roster;
}

describe('a roster', () => {
  test('holds who connected and did not disconnect', () => {
    const roster = rosterAfter(run(), connected(1, idA), connected(2, idB), disconnected(3, idA));
    expect([...roster.players.keys()]).toEqual([idB]);
    expect(roster.isComplete).toBe(true);
  });

  test('keeps the time of connecting through the connects that respawns repeat', () => {
    const died: GameEvent = { kind: 'died', at: at(19), player: player(idA), cause: 'died' };
    const respawned = { ...connected(20, idA), inGame: true } as GameEvent;
    const roster = rosterAfter(run(), connected(1, idA), died, respawned);
    expect(roster.players.get(idA)).toMatchObject({ connectedAt: at(1) });
  });

  test('keeps who connects again before the old connection times out, and knows that the player loads again', () => {
    const again = [run(), connected(1, idA), list(5, idA), connected(9, idA), disconnected(9.5, idA)];
    expect(rosterAfter(...again).players.get(idA)).toMatchObject({ connectedAt: at(9), absentAt: at(9) });
    expect([...rosterAfter(...again, list(10)).players.keys()]).toEqual([idA]);
    expect([...rosterAfter(...again, disconnected(11, idA)).players.keys()]).toEqual([]);
  });

  test('does not hold whose connect is written after the disconnect that followed it', () => {
    const kicked = [run(), connected(1, idB), connected(2, idA), disconnected(3, idA)];
    expect([...rosterAfter(...kicked, disconnected(9, idA), connected(8.5, idA)).players.keys()]).toEqual([
      idB,
    ]);
  });

  test('is corrected by a list: who is in it is on, who is missing has gone', () => {
    const roster = rosterAfter(run(), connected(1, idA), connected(1, idB), list(7, idB, idC));
    expect([...roster.players]).toEqual([
      [idB, { name: idB.slice(0, 1), connectedAt: at(1), absentAt: null }],
      [idC, { name: idC.slice(0, 1), connectedAt: null, absentAt: null }],
    ]);
  });

  test('keeps those whom a list misses because they are still loading, for five minutes', () => {
    const loading = [run(), connected(4, idA), list(5)];
    expect([...rosterAfter(...loading).players.keys()]).toEqual([idA]);
    expect([...rosterAfter(...loading, list(10)).players.keys()]).toEqual([]);
    // Once somebody was in a list, missing in another one means gone.
    expect([...rosterAfter(run(), connected(4, idA), list(5, idA), list(8)).players.keys()]).toEqual([]);
  });

  test('is empty after a start of the server and after the end of a run', () => {
    const ended: GameEvent = { kind: 'run-ended', at: at(9) };
    expect(rosterAfter(run(), connected(1, idA), ended).players.size).toBe(0);
    expect(rosterAfter(run(), connected(1, idA), ended, run('2026-03-01 12:10:00')).players.size).toBe(0);
  });

  test('keeps who was on when a tool has emptied the log, and is not complete until the next list', () => {
    const roster = rosterAfter(run(), connected(1, idA), connected(1, idB));
    roster.take(at(1));
    add({ kind: 'run-started', at: at(2), header: '2026-03-01 12:02:00', isRest: true });
    add(disconnected(3, idA));
    expect([...roster.players.keys()]).toEqual([idB]);
    expect(roster.take(at(3))).toMatchObject({
      run: { follows: '2026-03-01 12:00:00', isNew: false, isComplete: false, players: [[idB, {}]] },
    });
    add(list(5, idB, idC));
    expect([...roster.players.keys()]).toEqual([idB, idC]);
    expect(roster.isComplete).toBe(true);
  });

  test('notices a gap by itself where the log has lists, which come every five minutes while somebody is on', () => {
    const listed = [run(), connected(1, idA), list(5, idA), list(10, idA)];
    const late = rosterAfter(...listed, connected(20 * 60, idB));
    expect([...late.players.keys()]).toEqual([idB]);
    expect(late.isComplete).toBe(false);
    add(list(20 * 60 + 5, idA, idB));
    expect(late.isComplete).toBe(true);
    const others = [
      [...listed, connected(16, idB)],
      [...listed, disconnected(11, idA), connected(60, idB)],
      [run(), connected(1, idA), connected(60, idB)],
      [...listed, run('2026-03-02 12:00:00'), connected(20 * 60, idB)],
    ];
    for (const events of others) expect(rosterAfter(...events).isComplete).toBe(true);
  });

  test('hands over who is on, and once that a run is new', () => {
    const roster = rosterAfter(run(), connected(1, idA));
    expect(roster.take(at(1))).toMatchObject({ run: { isNew: true, players: [[idA, {}]] } });
    expect(roster.take(at(2))).toMatchObject({ run: { isNew: false, players: [[idA, {}]] } });
    add(list(5, idA));
    add(list(10, idA));
    expect(roster.take(at(10))).toMatchObject({
      run: { players: [[idA, { absentAt: null }]], listedAt: at(10) },
    });
    add(disconnected(16, idA));
    expect(roster.take(at(16))).toMatchObject({ run: { players: [] } });
  });
});
