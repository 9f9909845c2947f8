import { expect, it } from 'vitest';
import type { Command } from '../../src/commands/command.ts';
import { commands } from '../../src/commands/index.ts';
import * as data from '../embeds/contract-data.ts';
import { hostileTexts } from '../embeds/hostile-texts.ts';
import { expectSendable } from '../embeds/message-rules.ts';
import { componentsOf, press } from './components.ts';
import { asker, context } from './context.ts';
import { contractClient } from './contract-client.ts';

const moderator = asker({ permissions: 4n });
const texts = [...hostileTexts(70), '', ' ', '*', '~', '__proto__', 'constructor', '%00', '‮'];

/** Options in which a member types freely, by command. */
const typed = {
  status: ['server'],
  online: ['server'],
  top: ['metric'],
  lookup: ['identifier'],
  bans: ['list', 'identifier'],
  schedule: ['server'],
} as const;

it('answers whatever a member types, and completes it, within every limit', async () => {
  // The same texts as names of what there is, so that they are found and shown as well.
  const client = contractClient({
    listServers: () => ({
      servers: texts.map((name, index) => data.server({ id: name || `s${index}`, name })),
    }),
    listBanlists: () => ({ banlists: texts.slice(0, 40).map((name) => data.banlist({ id: name, name })) }),
    listLeaderboards: () => ({ leaderboards: [data.leaderboard(texts.slice(0, 25))] }),
  });
  for (const [name, options] of Object.entries(typed)) {
    const command: Command = commands[name as keyof typeof typed];
    for (const option of options) {
      for (const text of texts) {
        const asking = context({ client, options: { [option]: text }, asker: moderator, mayShare: true });
        const reply = await command.run({ ...asking, visibility: 'private' });
        expectSendable(reply.embeds, reply.files);
        const ids = componentsOf(reply).map(({ customId }) => customId);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => id.length <= 100)).toBe(true);
        const choices = await command.autocomplete?.({
          ...asking,
          focused: { name: option, value: text },
        });
        for (const choice of choices ?? []) {
          expect(choice.name.length > 0 && choice.name.length <= 100).toBe(true);
          expect(choice.value.length > 0 && choice.value.length <= 100).toBe(true);
        }
      }
    }
  }
});

it('leads back to the very server that an answer was about, whatever its id', async () => {
  for (const id of texts.filter((text) => text.trim() !== '')) {
    const servers = [data.server({ id: 'other' }), data.server({ id, name: 'The one' })];
    const client = contractClient({ listServers: () => ({ servers }) });
    const menu = componentsOf(await commands.status.run(context({ client }))).find(
      ({ kind }) => kind === 'menu',
    );
    const shown = await press(menu!.customId, [menu!.choices[1]!], { client });
    expect(shown?.embeds[0]?.title).toBe('🟢 The one');
  }
});
