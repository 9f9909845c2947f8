import { expect, it } from 'vitest';
import { readFigures, readPlayers, readQueue } from '../../../src/server/live/parse-result.ts';

it('parses figures that come as text', () => {
  expect(readFigures({ map: 'oa_dm1', numplayers: '3', maxplayers: '12' })).toEqual({
    map: 'oa_dm1',
    players: 3,
    maxPlayers: 12,
  });
});

it('keeps null for what a query does not say', () => {
  expect(readFigures({ map: '', numplayers: 0, maxplayers: 0, players: [] })).toEqual({
    map: null,
    players: null,
    maxPlayers: null,
  });
  expect(readFigures({ numplayers: 0, maxplayers: 60 }).players).toBe(0);
  expect(readFigures({ numplayers: -1, maxplayers: 1e9, map: 7 })).toEqual({
    map: null,
    players: null,
    maxPlayers: null,
  });
  expect(readFigures(null)).toEqual({ map: null, players: null, maxPlayers: null });
});

it('counts the names of a list where the query gives no number of players', () => {
  const players = [{ name: 'Ann' }, { name: '' }, { name: 'Ben' }, {}];
  expect(readFigures({ numplayers: 0, maxplayers: 16, players }).players).toBe(2);
  expect(readFigures({ maxplayers: 16, players }).players).toBe(2);
  expect(readFigures({ numplayers: 0, maxplayers: 0, players }).players).toBe(2);
  // A number counts, and A2S lists more entries than players, without names.
  expect(readFigures({ numplayers: 1, maxplayers: 16, players }).players).toBe(1);
  expect(readFigures({ numplayers: 0, maxplayers: 60, players: [{ name: '' }, {}] }).players).toBe(0);
  // What a Minecraft server lists may be lines of advertising.
  expect(readFigures({ numplayers: 0, maxplayers: 20, players }, false).players).toBe(0);
});

it('takes control characters out of what a stranger sends', () => {
  expect(readFigures({ map: '\u001b[31mred\u0000' }).map).toBe('[31mred');
});

const id = '76561198207985320';
it.each([
  ['Palworld', { players: [{ name: 'A', raw: { userId: `steam_${id}` } }] }],
  ['Just Cause 2 MP', { players: [{ name: 'A', raw: { steamid: id } }] }],
  [
    '7 Days to Die',
    { players: [{ name: 'A', raw: { responseLine: `1. id=171, A, pltfmid=Steam_${id}, crossid=EOS_0` } }] },
  ],
  [
    'FiveM',
    {
      players: [{ name: 'A', raw: {} }],
      raw: { players: [{ name: 'A', identifiers: ['license:00ff', `steam:${BigInt(id).toString(16)}`] }] },
    },
  ],
])('finds the platform id of a player of %s', (_game, result) => {
  expect(readPlayers(result)).toEqual([{ name: 'A', steamId64: id, seconds: null }]);
});

it.each([
  ['first', [{}, { identifiers: [] }]],
  ['last', [{ identifiers: [] }, {}]],
  ['last, and the other lists none', [{ identifiers: undefined }, {}]],
])('gives nobody an id where two FiveM players bear one name (%s)', (_place, others) => {
  const entry = { name: 'A', identifiers: [`steam:${BigInt(id).toString(16)}`] };
  const result = {
    players: [{ name: 'A' }, { name: 'A' }],
    raw: { players: others.map((other) => ({ ...entry, ...other })) },
  };
  expect(readPlayers(result)).toEqual([
    { name: 'A', steamId64: null, seconds: null },
    { name: 'A', steamId64: null, seconds: null },
  ]);
});

it.each([
  [3_725.9, 3_725],
  [0, 0],
  [-1, null],
  [Number.NaN, null],
  [1e12, null],
  ['3725', null],
  [undefined, null],
])('reads a connection of %j seconds as %j', (time, seconds) => {
  expect(readPlayers({ players: [{ name: '', raw: { time } }] })[0]?.seconds).toBe(seconds);
});

it.each([
  [{ queue: 3 }, 3],
  [{ queue: 0 }, 0],
  [{ queue: 'many' }, null],
  [{}, null],
])('reads the queue of %j as %j', (raw, queue) => {
  expect(readQueue({ raw })).toBe(queue);
});
