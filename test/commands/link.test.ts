import { expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import type { PlayerLinks } from '../../src/commands/interfaces/player-links.ts';
import * as data from '../embeds/contract-data.ts';
import { labelled, press } from './components.ts';
import { asker, context } from './context.ts';
import { contractClient, serviceError } from './contract-client.ts';

const claimed: PlayerLinks = {
  get: async () => ({ name: 'Anna', identifier: null, ref: '1', isProven: false, isHidden: false }),
  areClaimsEnough: () => true,
  claim: async () => 'linked',
  remove: async () => true,
  proofs: {
    isOffered: () => false,
    state: async () => null,
    start: async () => ({ refused: 'busy', until: 0 }),
    end: async () => {},
    confirm: async () => null,
    setHidden: async () => false,
  },
};

it('offers nothing but to undo a claim where no log names gestures', async () => {
  const links = claimed;
  const { components = [] } = await commands.link.run(context({ community: { links } }));
  const labels = components.flatMap((row) => ('components' in row ? row.components : []));
  expect(labels).toMatchObject([{ label: 'Unlink' }]);
});

const unlinked: PlayerLinks = { ...claimed, get: async () => null };

it.each<[string, PlayerLinks, string]>([
  ['proofs', { ...unlinked, proofs: { ...claimed.proofs, isOffered: () => true } }, 'yet: `/link`'],
  ['claims alone', unlinked, 'Find yourself with `/lookup`, then press “This is me”'],
  ['neither', { ...unlinked, areClaimsEnough: () => false }, "can't be linked to players here"],
])('/me says what there is to do for a card of one’s own: %s', async (_what, links, text) => {
  expect(JSON.stringify(await commands.me.run(context({ community: { links } })))).toContain(text);
});

it('/link leads on to the button that claims a player where only claims are possible', async () => {
  const reply = await commands.link.run(context({ community: { links: unlinked } }));
  expect(JSON.stringify(reply)).toContain('press “This is me”');
});

it.each([
  [true, 'prove it: `/link`'],
  [false, 'ask the team of this community'],
])(
  'a player who is linked already is to be proven only where that is possible: %s',
  async (isOffered, text) => {
    const proofs = { ...claimed.proofs, isOffered: () => isOffered };
    const links: PlayerLinks = { ...unlinked, proofs, claim: async () => 'taken' };
    const options = { identifier: '76561198000000001' };
    const shown = await commands.lookup.run(context({ community: { links }, options }));
    const answer = await press(labelled(shown, 'This is me').customId, [], { community: { links } });
    expect(JSON.stringify(answer)).toContain(text);
  },
);

it('/lookup of nobody asks for a player or a member', async () => {
  expect(JSON.stringify(await commands.lookup.run(context()))).toContain(
    'Name a player, or choose a member.',
  );
});

it('hides nobody who has not proven to be the player', async () => {
  const pressed = { ...context({ community: { links: claimed } }), action: 'hidesure', args: [] };
  const reply = await commands.link.components?.press(pressed as never);
  expect(JSON.stringify(reply)).toContain('Only proven members can hide themselves');
});

it('proves nothing while the project is suspended', async () => {
  const client = contractClient({
    getProject: () => {
      throw serviceError('project_suspended');
    },
  });
  const asked = commands.link.run(context({ client, community: { links: claimed } }));
  await expect(asked).rejects.toMatchObject({ code: 'project_suspended' });
  const without = contractClient({
    getProject: () => {
      throw serviceError('insufficient_scope');
    },
  });
  const { embeds } = await commands.link.run(context({ client: without, community: { links: claimed } }));
  expect(embeds[0]?.title).toBe('📍 You are linked');
});

it('reads the log anew when asked to, as after a restart of the bot', async () => {
  let seen = 1;
  const gestures = ['Salute', 'Nod', 'Heart'].map((name) => ({ code: `Emote${name}`, name }));
  const state = async () => ({ gestures, seen, endsAt: data.now + 60_000, lateByMs: 0, found: null });
  const links = { ...unlinked, proofs: { ...claimed.proofs, isOffered: () => true, state } };
  const steps = await commands.link.run(context({ community: { links } }));
  seen = 2;
  const after = await press(labelled(steps, 'Refresh').customId, [], { community: { links } });
  expect(after?.embeds[0]?.description?.match(/✅/g)).toHaveLength(2);
  expect(after?.refresh).toBeDefined();
});

it.each([
  ['busy', 'Too many members of this Discord server are proving who they are right now'],
  ['often', 'You have drawn new gestures too often'],
] as const)('says how long a member has to wait for new gestures: %s', async (refused, text) => {
  const asked: unknown[] = [];
  const start: NonNullable<PlayerLinks['proofs']>['start'] = async (who) => {
    asked.push(who);
    return { refused, until: data.now + 90_000 };
  };
  const links = { ...unlinked, proofs: { ...claimed.proofs, isOffered: () => true, start } };
  const reply = await commands.link.run(
    context({ community: { links }, asker: asker({ userId: '1', guildId: '9' }) }),
  );
  expect(reply.embeds[0]?.description).toContain(text);
  expect(reply.embeds[0]?.description).toContain(`<t:${Math.floor(data.now / 1000) + 90}:R>`);
  expect(asked).toEqual([{ userId: '1', guildId: '9' }]);
});
