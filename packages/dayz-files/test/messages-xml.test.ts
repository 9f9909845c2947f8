import { expect, test } from 'vitest';
import { readMessagesXml } from '../src/index.ts';

const message = (inside: string) => `<message>${inside}</message>`;
const file = (...inside: string[]) => `<?xml version="1.0"?>\n<messages>\n${inside.join('\n')}\n</messages>`;
const restart = (deadline: string, shutdown = '1') =>
  message(`<deadline>${deadline}</deadline><shutdown>${shutdown}</shutdown><text>x</text>`);

test.each([
  ['the first of several shutdowns', file(restart('360'), restart('120'), restart('240')), 120],
  ['a shutdown of 0', file(restart('120', '0')), null],
  ['a shutdown without a deadline', file(message('<shutdown>1</shutdown>')), null],
  ['a deadline that is no number', file(restart('soon'), restart('-5'), restart('1e3')), null],
  [
    'names in any case, with blanks',
    file('<Message><DeadLine> 90 </DeadLine><SHUTDOWN>1</SHUTDOWN><onConnect>1</onConnect></Message>'),
    90,
  ],
  ['what stands in a comment', file(`<!-- ${restart('60')} -->`), null],
  [
    'what follows comments with dashes in them',
    file(`<!------ restarts ------->\n<!-- every -- ${restart('60')} -->`, restart('90')),
    90,
  ],
  [
    'what stands elsewhere',
    file(`<other>${restart('60')}</other>`, message(`<x><deadline>5</deadline></x><shutdown>1</shutdown>`)),
    null,
  ],
])('%s', async (_, text, restartMinutes) => {
  expect((await readMessagesXml(text)).restartMinutes).toBe(restartMinutes);
});

const bomb = `<!DOCTYPE messages [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(10)}">]>\n<messages><message><text>&b;</text></message></messages>`;
test.each([
  ['no XML', 'hello', /is not XML: .* in line 1/],
  [
    'an element that is not closed',
    '<messages>\n<message>\n</messages>',
    /is not XML: Unexpected close tag in line 3/,
  ],
  [
    'an element that is not closed behind a comment',
    '<messages><!--\n-- a --\n-->\n<message>\n</messages>',
    /Unexpected close tag in line 5/,
  ],
  ['a comment that does not end', '<messages><!-- </messages>', /is not XML/],
  ['entities that grow', bomb, /is not XML: Invalid character entity in line 2/],
  [
    'a bare & in a text',
    '<messages>\n<message><text>PvP & PvE welcome</text></message>\n</messages>',
    /in line 2; write &amp; for an & in a text$/,
  ],
  ['another XML', '<types></types>', /is not a messages\.xml/],
  ['nothing', '', /is not (?:XML|a messages\.xml)/],
  ['half a file', file(restart('60')).slice(0, 60), /is not XML/],
])('%s is refused with its place', async (_, text, problem) => {
  await expect(readMessagesXml(text)).rejects.toThrow(problem);
});
