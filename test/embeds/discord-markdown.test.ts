import { expect, it } from 'vitest';
import { readMarkdown } from './discord-markdown.ts';

it.each([
  ['**a** b', ['bold'], 'a b'],
  ['***a***', ['bold', 'italic'], 'a'],
  ['_a_ snake_case_name', ['italic'], 'a snake_case_name'],
  ['__a__ ~~b~~ ||c||', ['underline', 'struck', 'spoiler'], 'a b c'],
  ['`**a**` ``b`c``', ['code', 'code'], '**a** b`c'],
  ['```js\n**a**```', ['code block'], ''],
  ['# a\n-# b\n> c\n- d\n1. e', ['heading', 'small', 'quote', 'list', 'list'], 'a\nb\nc\nd\ne'],
  ['[a](https://b.example)', ['named link'], 'a'],
  ['https://b.example <https://c.example>', ['address', 'address'], ' '],
  [
    '<t:1:R> @everyone <@&12> <:ok:12345678901234567> </top:1>',
    ['time', 'mention', 'mention', 'tag', 'tag'],
    '    ',
  ],
  [':skull: 12:30 a: b', ['emoji'], ' 12:30 a: b'],
  ['a ** b * c _ d ` e', [], 'a ** b * c _ d ` e'],
  ['\\*\\*a\\*\\* \\<@1> https\\://b', [], '**a** <@1> https://b'],
  ['\\\\**a**', ['bold'], '\\a'],
])('%j', (text, constructs, seen) => {
  expect(readMarkdown(text)).toEqual({ constructs, seen });
});
