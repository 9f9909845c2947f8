import { Keyv } from 'keyv';
import { expect, it } from 'vitest';
import { KeptMessages } from '../../../src/bot/channels/kept-messages.ts';
import { channelId, guildId } from '../discord-world.ts';

it('remembers both of two messages that are sent at the same moment', async () => {
  const messages = new KeptMessages('cards', new Keyv());
  const message = { guildId, channelId, locale: 'en-US' };
  await Promise.all(['1', '2'].map((messageId) => messages.add({ ...message, messageId })));
  expect((await messages.list()).map(({ messageId }) => messageId)).toEqual(['1', '2']);
});
