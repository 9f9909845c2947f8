/** Texts that people give themselves to break what shows them, and a generator of many more. */

const given = [
  '',
  '   ',
  '\u200b\u200b',
  '\u3164',
  '**bold** __under__ *it* _it_ ~~gone~~ ||spoiler|| `code` ```block```',
  '# heading',
  '-# small',
  '> quote',
  '>>> long quote',
  '- item',
  '1. item',
  '[click](https://evil.example/steal)',
  '[click](<https://evil.example>)',
  '<https://evil.example>',
  'https://evil.example/a_b',
  'discord.gg/free-nitro https://discord.gg/free-nitro',
  '@everyone @here <@123456789012345678> <@&123456789012345678> <#123456789012345678>',
  '<t:1:R> </ban:123456789012345678> <:emoji:123456789012345678> <a:e:123456789012345678> <id:home>',
  '\u202eevil\u202c reversed',
  '\u2066isolated\u2069',
  'العربية שלום name',
  '👨‍👩‍👧‍👦'.repeat(40),
  'Z̵̡̢̛̗̘̙̜̝̞̟̠͇̊̋̌̍̎̏̐̑̒̓̔̚͜a̴l̸g̶o'.repeat(9),
  '\\',
  'ends in a backslash\\',
  '`',
  '``',
  '*'.repeat(400),
  '_'.repeat(400),
  'a'.repeat(6000),
  '\n\n# heading\n> quote',
  '\u0000\u0007\u001b[31mred',
  '\ud83d lone',
  'lone \udc00',
  '$t(more) {{count}} $& %s',
  '[CLAN] Name | PvP #1',
  ']( https://x.example )',
  '||',
  '|',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
];

const pieces = [
  ...given.slice(4, 20),
  'x',
  ' ',
  '\n',
  '@',
  '<',
  '>',
  '`',
  '*',
  '_',
  '~~',
  '||',
  '\\',
  '[',
  '](',
  ')',
  '://',
  '#',
  '-',
  '1.',
  '\u200b',
  '\u202e',
  '👍🏽',
  '字',
  'é',
  'ش',
];

/** The same `count` texts in every run: given ones first, then ones joined at random. */
export function hostileTexts(count: number): string[] {
  let seed = 20_261_121;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (seed >>> 8) % below;
  };
  const texts = [...given];
  while (texts.length < count) {
    texts.push(Array.from({ length: 1 + next(12) }, () => pieces[next(pieces.length)]!).join(''));
  }
  return texts;
}
