import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openInOrder } from '../../src/compose/closers.ts';

it('closes the parts in reverse order, although one of them fails', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const closed: string[] = [];
  const opened = await openInOrder(log, async (closers) => {
    closers.push(async () => closed.push('lock'));
    closers.push(async () => Promise.reject(new Error('the disk is full')));
    closers.push(async () => closed.push('bot'));
    return { url: 'here' };
  });
  expect([opened.url, closed]).toEqual(['here', []]);
  await opened.close();
  expect(closed).toEqual(['bot', 'lock']);
  expect(lines).toEqual([expect.stringContaining('the disk is full')]);
});

it('closes what was opened where the next part cannot be', async () => {
  const closed: string[] = [];
  const opening = openInOrder(pino({ level: 'silent' }), async (closers) => {
    closers.push(async () => closed.push('lock'));
    throw new Error('the port is taken');
  });
  await expect(opening).rejects.toThrow('the port is taken');
  expect(closed).toEqual(['lock']);
});
