import { expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import type { PlayerLinks } from '../../src/commands/player-links.ts';
import { asker, context } from './context.ts';

const claimed: PlayerLinks = {
  get: async () => ({ name: 'Anna', identifier: null, ref: '1', isProven: false, isHidden: false }),
  areClaimsEnough: () => true,
  claim: async () => 'linked',
  remove: async () => true,
  proofs: {
    isOffered: () => false,
    state: async () => null,
    start: async () => 'busy',
    end: async () => {},
    confirm: async () => null,
    setHidden: async () => false,
  },
};

it('offers nothing but to undo a claim where no log names gestures', async () => {
  const links = claimed;
  const { components = [] } = await commands.link.run(context({ ports: { links } }));
  const labels = components.flatMap((row) => ('components' in row ? row.components : []));
  expect(labels).toMatchObject([{ label: 'Unlink' }]);
});

it('answers nothing of links outside home guilds, nor the buttons of an older message there', async () => {
  const asked: string[] = [];
  const proofs = new Proxy(claimed.proofs!, {
    get: (_, name) => {
      asked.push(String(name));
      return async () => null;
    },
  });
  const elsewhere = {
    ports: { links: { ...claimed, proofs } },
    asker: asker({ guildId: '11', isHome: false }),
  };
  const refused = 'approved';
  expect(JSON.stringify(await commands.link.run(context(elsewhere)))).toContain(refused);
  for (const action of ['again', 'cancel', 'hidesure', 'show', 'state', 'confirm']) {
    const pressed = { ...context(elsewhere), action, args: ['1'], message: null };
    const reply = await commands.link.components?.press(pressed as never);
    expect([action, JSON.stringify(reply)]).toEqual([action, expect.stringContaining(refused)]);
  }
  expect(asked).toEqual([]);
});

it('hides nobody who has not proven to be the player', async () => {
  const pressed = { ...context({ ports: { links: claimed } }), action: 'hidesure', args: [] };
  const reply = await commands.link.components?.press(pressed as never);
  expect(JSON.stringify(reply)).toContain('Only proven members can hide themselves');
});
