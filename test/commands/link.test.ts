import { expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import type { PlayerLinks } from '../../src/commands/player-links.ts';
import { context } from './context.ts';

it('offers nothing but to undo a claim where no log names gestures', async () => {
  const links: PlayerLinks = {
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
  const { components = [] } = await commands.link.run(context({ ports: { links } }));
  const labels = components.flatMap((row) => ('components' in row ? row.components : []));
  expect(labels).toMatchObject([{ label: 'Unlink' }]);
});
