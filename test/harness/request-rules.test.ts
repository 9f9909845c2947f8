import { describe, expect, it } from 'vitest';
import type { MessageBody } from './message-rules.ts';
import { requestViolations } from './request-rules.ts';

const unimportant = { query: '', authorised: true, at: 0 };
const sent = (method: string, path: string, body: unknown, files: string[] = []) =>
  requestViolations({ method, path, body, files, status: 200, answer: undefined, ...unimportant });
const nobody = { parse: [] };
const button = (custom_id: string) => ({ type: 2, style: 2, label: 'x', custom_id });
const row = (...components: object[]) => ({ type: 1, components });
const post = (message: object) =>
  sent('POST', '/channels/1/messages', { allowed_mentions: nobody, ...message });

describe('a message', () => {
  it('that is in order passes, wherever it is sent', () => {
    const body = {
      content: '<@&1100000000000000501>',
      embeds: [{ title: 'Status', fields: [{ name: 'Map', value: '**Chernarus** <t:1:R>' }] }],
      components: [row(button('a'), button('b'))],
      allowed_mentions: { parse: [], roles: ['1100000000000000501'] },
    };
    expect([
      ...sent('POST', '/channels/1/messages', body),
      ...sent('PATCH', '/channels/1/messages/2', body),
      ...sent('POST', '/interactions/1/x/callback', { type: 4, data: { ...body, flags: 64 } }),
      ...sent('POST', '/interactions/1/x/callback', { type: 7, data: body }),
      ...sent('POST', '/interactions/1/x/callback', { type: 5, data: { flags: 64 } }),
      ...sent('POST', '/interactions/1/x/callback', { type: 6 }),
      ...sent('PATCH', '/webhooks/1/x/messages/@original', body),
      ...sent('POST', '/webhooks/1/x', { ...body, flags: 64 }),
    ]).toEqual([]);
  });

  const embed = (over: object) => ({ embeds: [{ title: 't', ...over }] });
  it.each([
    ['too much text in one embed', embed({ description: 'x'.repeat(4097) })],
    ['too much text in all embeds', { embeds: [1, 2].map(() => ({ description: 'x'.repeat(3001) })) }],
    ['too much content', { content: 'x'.repeat(2001) }],
    ['nothing in it', {}],
    ['an embed with nothing in it', { embeds: [{ color: 1 }] }],
    ['a blank value of a field', embed({ fields: [{ name: 'n', value: ' ' }] })],
    ['a link that is none', embed({ url: 'steam://connect' })],
    ['a picture that does not come along', embed({ image: { url: 'attachment://chart.png' } })],
    ['a mention in an embed', embed({ description: 'hi @everyone' })],
    ['half a character', embed({ description: '\ud83d' })],
    ['two buttons of one custom_id', { content: 'x', components: [row(button('a'), button('a'))] }],
    [
      'a label that is too long',
      { content: 'x', components: [row({ ...button('a'), label: 'x'.repeat(81) })] },
    ],
    ['a button that does nothing', { content: 'x', components: [row({ type: 2, style: 2, label: 'x' })] }],
    ['mentions that are parsed', { content: 'x', allowed_mentions: { parse: ['everyone'] } }],
    ['mentions that are not spoken of', { content: 'x', allowed_mentions: undefined }],
    [
      'a member who may be mentioned',
      { content: 'x', allowed_mentions: { parse: [], users: ['1100000000000000501'] } },
    ],
  ] satisfies [string, MessageBody | object][])('with %s is noticed', (_, message) => {
    expect(post(message)).not.toEqual([]);
  });
});

describe('an answer', () => {
  it('of choices passes, and one of too many is noticed', () => {
    const choices = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `n${at}`, value: `v${at}` }));
    const answer = (count: number) =>
      sent('POST', '/interactions/1/x/callback', { type: 8, data: { choices: choices(count) } });
    expect(answer(25)).toEqual([]);
    expect(answer(26)).not.toEqual([]);
  });
});

describe('commands', () => {
  const option = (name: string, required = false) => ({ type: 3, name, description: 'd', required });
  const command = (over: object = {}) => ({ type: 1, name: 'top', description: 'd', ...over });
  const put = (...commands: object[]) => sent('PUT', '/applications/1/commands', commands);

  it('that are in order pass', () => {
    expect(put(command({ options: [option('a', true), option('b')] }), command({ name: 'online' }))).toEqual(
      [],
    );
  });

  it.each([
    ['a required option after an optional one', [command({ options: [option('a'), option('b', true)] })]],
    ['one name for two', [command(), command()]],
    ['one name for two options', [command({ options: [option('a'), option('a')] })]],
    ['a name with a capital', [command({ name: 'Top' })]],
    ['a description that is too long', [command({ description: 'x'.repeat(101) })]],
  ] satisfies [string, object[]][])('with %s are noticed', (_, commands) => {
    expect(put(...commands)).not.toEqual([]);
  });
});

it('a body of a kind that no rule knows is noticed', () => {
  expect(sent('POST', '/channels/1/threads', { name: 'x' })).not.toEqual([]);
});
