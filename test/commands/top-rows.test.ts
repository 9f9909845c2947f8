import { expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import type { KillRecords } from '../../src/commands/ports/ports.ts';
import { withRowButtons } from '../../src/embeds/row-buttons.ts';
import * as data from '../embeds/contract-data.ts';
import { answerViolations } from '../harness/request-rules.ts';
import { context } from './context.ts';
import { contractClient } from './contract-client.ts';

const period = { id: 'week', kind: 'week', name: null, from: 0, until: null, previous: null } as const;
const kills: KillRecords = {
  ofPlayer: async () => null,
  offered: async () => ({ periods: [period], weapons: [] }),
  board: async () => ({ rows: [], since: null, previous: [] }),
  changes: async () => new Map(),
};
const names = Array.from({ length: 25 }, (_, i) => `Player ${i}`);
const client = contractClient({ listLeaderboards: () => ({ leaderboards: [data.leaderboard(names)] }) });
const ports = { kills, cards: { draw: async () => null } };

/** All components, those within others included. */
function count(components: readonly unknown[]): number {
  return components.reduce<number>((sum, one) => {
    const { components: within = [], accessory } = one as { components?: unknown[]; accessory?: unknown };
    return sum + 1 + count(within) + (accessory === undefined ? 0 : 1);
  }, 0);
}

it.each([
  ['public', 10, true],
  ['public', 11, false],
  ['private', 9, true],
  ['private', 10, false],
] as const)(
  'a %s page of %i rows has a button a row: %s, and room for all',
  async (visibility, limit, has) => {
    const options = { metric: 'PLAYER_KILLS', limit };
    const reply = await commands.top.run(
      context({ client, ports, options, visibility, mayShare: visibility === 'private' }),
    );
    expect(reply.rowButtons?.length).toBe(has ? limit : undefined);
    expect(answerViolations(reply)).toEqual([]);
    const [embed] = reply.embeds;
    if (reply.rowButtons === undefined || embed === undefined) return;
    const all = [withRowButtons(embed, reply.rowButtons), ...(reply.components ?? [])];
    expect(count(all)).toBeLessThanOrEqual(40);
    expect(count(all)).toBeGreaterThan(37);
  },
);
