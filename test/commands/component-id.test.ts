import { describe, expect, it } from 'vitest';
import { readComponentId, shortRef, writeComponentId } from '../../src/commands/component-id.ts';

const ownerId = '1100000000000000301';
const id = { command: 'top', action: 'view', ownerId, args: ['PLAYER_KILLS', '10', ''] };

describe('a custom_id', () => {
  it('says again what was written into it', () => {
    expect(readComponentId(writeComponentId(id))).toEqual(id);
    const largest = { ...id, ownerId: String(2n ** 64n - 1n), args: ['*', '~a.b_c-1', ''] };
    expect(readComponentId(writeComponentId(largest))).toEqual(largest);
  });

  it('has room for the longest state of any command', () => {
    const args = [shortRef('x'.repeat(500)), 'f'.repeat(32), '9999'];
    const text = writeComponentId({
      command: 'bans',
      action: 'share',
      ownerId: String(2n ** 64n - 1n),
      args,
    });
    expect(text.length).toBeLessThanOrEqual(100);
  });

  it('is never written in a form that could not be read', () => {
    for (const wrong of [
      { ...id, args: ['a:b'] },
      { ...id, args: ['ü'] },
      { ...id, args: ['x'.repeat(65)] },
      { ...id, args: ['x'.repeat(60), 'y'.repeat(60)] },
      { ...id, command: 'Top' },
      { ...id, action: 'pick metric' },
    ]) {
      expect(() => writeComponentId(wrong)).toThrow(RangeError);
    }
  });

  it.each([
    ['another version', 'o2:top:view:9:x', 'outdated'],
    ['no colon', 'button-7', 'foreign'],
    ['nothing', '', 'foreign'],
    ['no owner', 'o1:top:view', 'foreign'],
    ['an owner that is none', 'o1:top:view:-1:x', 'foreign'],
    ['an argument of other characters', 'o1:top:view:9:<@1>', 'foreign'],
    ['a line break', 'o1:top:view:9:x\n', 'foreign'],
    ['a star among other characters', 'o1:top:view:9:*x', 'foreign'],
    ['a name in capitals', 'o1:__proto__:view:9', 'foreign'],
    ['more than Discord allows', `o1:top:view:9:${'x:'.repeat(60)}`, 'foreign'],
    ['a version that is none', 'o01:top:view:9', 'foreign'],
  ])('is refused with %s', (_, text, reason) => {
    expect(readComponentId(text)).toBe(reason);
  });
});

describe('an id in a custom_id', () => {
  it('stands for itself where it is plain and short, otherwise for a digest that only it has', () => {
    expect(shortRef('northwood-1')).toBe('northwood-1');
    const refs = ['a b', 'a  b', 'x'.repeat(33), 'x'.repeat(34), 'é', '*', ''].map(shortRef);
    expect(new Set(refs).size).toBe(refs.length);
    for (const ref of refs) expect(ref).toMatch(/^~[A-Za-z0-9_-]{16}$/);
  });
});
