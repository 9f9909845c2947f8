import { describe, expect, it } from 'vitest';
import { choicesFor, resolve } from '../../src/commands/choices.ts';

const named = (...names: string[]) => names.map((name, i) => ({ id: `p${i}`, name }));

describe('suggestions as a member types', () => {
  it('are found without accents, and with them', () => {
    const players = named('Müller', 'Łukasz', 'Renée', 'Йосип', 'Ann');
    const found = (typed: string) => choicesFor(players, typed).map(({ name }) => name);
    expect(found('mull')).toEqual(['Müller']);
    expect(found('MÜLL')).toEqual(['Müller']);
    expect(found('renee')).toEqual(['Renée']);
    expect(found('иос')).toEqual(['Йосип']);
    expect(found('nn')).toEqual(['Ann']);
  });

  it('are found by what people know of them, and not by a digest', () => {
    const players = [
      { id: '~xyX1wv_Ut9sRq0aB', name: 'Boris' },
      { id: '76561198000000001', name: 'Cid' },
    ];
    expect(choicesFor(players, 'x')).toEqual([]);
    expect(resolve(players, 'x')).toEqual({ missing: true });
    expect(choicesFor(players, '7656').map(({ name }) => name)).toEqual(['Cid']);
    expect(resolve(players, '~xyX1wv_Ut9sRq0aB')).toEqual({ found: players[0] });
  });

  it('name a player once whose name is all that is known', () => {
    const consoles = ['ann', 'Ann'].map((name) => ({ id: name, name }));
    expect(choicesFor(consoles, 'ann').map(({ name }) => name)).toEqual(['ann', 'Ann']);
  });
});

describe('a name that is typed in full', () => {
  it('is that of one player, though another differs in an accent', () => {
    const players = named('Rene', 'René');
    expect(resolve(players, 'René')).toEqual({ found: players[1] });
    expect(resolve(players, 'rene')).toEqual({ found: players[0] });
    // As it is pasted from a leaderboard.
    expect(resolve(named('Karl-Heinz II', 'Karl'), 'Karl\u2011Heinz\u00a0II')).toMatchObject({
      found: { id: 'p0' },
    });
    expect(resolve(named('René'), 'rene')).toMatchObject({ found: { name: 'René' } });
  });
});
