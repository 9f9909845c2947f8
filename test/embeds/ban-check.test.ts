import { expect, it } from 'vitest';
import { banCheckEmbed, banField } from '../../src/embeds/ban-check.ts';
import { languageOf } from '../../src/locales/language.ts';
import * as data from './contract-data.ts';

it('a ban says why, however many servers with long names it applies to', () => {
  const targets = Array.from({ length: 12 }, (_, i) => ({
    type: 'SERVER' as const,
    serverId: `northwood-${i}`,
    name: `Northwood EU #${i + 1} | Chernarus | Hardcore | 1PP | discord.gg/northwood`,
    state: 'ENFORCED' as const,
  }));
  const reason = 'Aimbot, seen by three moderators; the clips are in the evidence channel. '.repeat(3);
  const ban = data.ban({ reason, targets });
  const view = {
    identifier: '76561198000000001',
    name: 'Survivor',
    identitiesKnown: true,
    checks: [{ list: data.banlist(), outcome: 'banned' as const, bans: [ban] }],
    now: data.now,
  };
  const language = languageOf('en-US');
  for (const { value } of [banField(language, view), ...(banCheckEmbed(language, view).fields ?? [])]) {
    expect(value).toContain('Aimbot, seen by three moderators');
    expect(value).toMatch(/Applies to: Northwood EU #1 .*…and \d+ more$/);
  }
});

it('sets colons as the language does', () => {
  const checks = [{ list: data.banlist(), outcome: 'banned' as const, bans: [data.ban()] }];
  const view = { identifier: 'Anna', name: 'Anna', identitiesKnown: true, checks, now: data.now };
  expect(banField(languageOf('fr'), view).value).toContain(`🔨 ${data.banlist().name}\u00a0: `);
});

it('names a player who has no identifier once', () => {
  const checks = [{ list: data.banlist(), outcome: 'clear' as const }];
  const view = { identifier: 'Anna', name: 'Anna', identitiesKnown: true, checks, now: data.now };
  const { description } = banCheckEmbed(languageOf('en-US'), view);
  expect(description?.match(/Anna/g)).toHaveLength(1);
});
