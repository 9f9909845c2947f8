import { chmodSync } from 'node:fs';
import { PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import { placementsKey } from '../../../src/bot/channels/job-entries.ts';
import { contentOf, type ChannelContent } from '../../../src/config/schema/channel-jobs.ts';
import { openValuesOf } from '../../harness/small-values.ts';
import { channelId, guildId, install, otherChannelId, otherGuildId, troubles } from './installation.ts';

const status = contentOf('status', { servers: ['s'] });
const plainStatus = contentOf('status', { servers: ['s'], chart: 'none' });

/** What the doctor finds after members placed something, in an installation in which everything is well. */
async function foundWith(
  placed: { content: ChannelContent; at?: string; in?: string }[],
  change: (one: Awaited<ReturnType<typeof install>>) => void = () => undefined,
) {
  const one = await install();
  one.config.discord = { guilds: [{ id: guildId }] };
  const small = await openValuesOf(one.path('data'));
  const stored = placed.map(({ content, at = channelId, in: guild = guildId }, index) => {
    return { id: String(index), guildId: guild, channelId: at, content };
  });
  await small.of('bot').set(placementsKey, stored);
  await small.close();
  chmodSync(one.path('data/outpost.sqlite'), 0o600);
  change(one);
  const findings = await one.diagnose();
  const good = findings.filter(({ key, status }) => key.startsWith('placed ') && status === 'good');
  return { troubles: troubles(findings), good };
}

test('finds no fault with what members placed where the bot may post', async () => {
  const { troubles: found, good } = await foundWith([{ content: status }, { content: plainStatus }]);
  expect(found).toEqual([]);
  expect(good).toMatchObject([
    { key: 'placed status post', tried: `#status (${channelId})` },
    { key: 'placed status post' },
  ]);
});

test('finds that a channel is gone, and names the command that removes the post', async () => {
  const gone = '1100000000000000199';
  const content = contentOf('schedule', { servers: ['s'] });
  const { troubles: found } = await foundWith([{ content, at: gone }]);
  expect(found).toEqual([
    `wrong placed schedule post channel ${gone}: there is no such channel, or it was deleted → ` +
      'remove it with /outpost posts in that Discord server',
  ]);
});

test('finds what the bot may not do there: files for a chart', async () => {
  const { troubles: found } = await foundWith([{ content: status }, { content: plainStatus }], (one) =>
    one.discord.denyBot(channelId, PermissionFlagsBits.AttachFiles),
  );
  expect(found).toEqual([
    expect.stringMatching(/^warning placed status post #status .*: the bot lacks Attach Files, .* → grant/),
  ]);
});

test('finds a mentioned role that was deleted', async () => {
  const rules = { down: { afterMinutes: 5, roleId: '1100000000000000799' } };
  const { troubles: found } = await foundWith([
    { content: contentOf('alerts', { servers: ['s'], ...rules }) },
  ]);
  expect(found).toEqual([
    expect.stringMatching(
      /^wrong placed alerts #status .*: its Discord server has no role 1100000000000000799 →/,
    ),
  ]);
});

test('finds a post that waits because its Discord server is no home guild', async () => {
  const { troubles: found } = await foundWith([{ content: status, at: otherChannelId, in: otherGuildId }]);
  expect(found).toEqual([
    expect.stringMatching(
      /^wrong placed status post #status .*: its Discord server is not one of.* → .*else take the post out/,
    ),
  ]);
});
