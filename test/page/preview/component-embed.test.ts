import { describe, expect, it } from 'vitest';
import { languageOf, locales } from '../../../src/locales/language.ts';
import { projectEmbed, scriptJson, serverEmbed } from '../../../src/page/preview/component-embed.ts';
import type { ShownServer } from '../../../src/page/project.ts';
import type { ProjectView } from '../../../src/page/view.ts';
import { now, schedule, server, servers } from '../../embeds/contract-data.ts';
import { buttonsOf, textOf, violations } from './embed-violations.ts';
import { hostileTexts } from '../../embeds/hostile-texts.ts';

const project = { base: '', title: 'Northwood', discordUrl: 'https://discord.gg/northwood' as string | null };
const viewOf = (over: Partial<typeof project> = {}, locale = 'en-US') =>
  ({
    language: languageOf(locale),
    now,
    chosen: null,
    publicUrl: 'https://play.example.org',
    project: { ...project, ...over },
  }) as ProjectView;
const view = viewOf();
const shown = (over: Partial<ShownServer> = {}): ShownServer => ({
  server: server(),
  schedules: [schedule()],
  joinPath: '/join/northwood-1',
  address: null,
  ...over,
});

describe('what Discord shows for a link to a server', () => {
  it('is its state, players, next restart and a button to join', () => {
    const embed = serverEmbed(view, shown())!;
    expect(violations(embed)).toEqual([]);
    // 22:00 in Berlin, four hours after 18:00.
    const at = Date.parse('2026-11-20T21:00:00Z') / 1000;
    expect(textOf(embed)).toBe(
      [
        '## 🟢 Northwood | Chernarus',
        '**37 / 60** players',
        `Chernarus · restarts <t:${at}:R> (<t:${at}:t>) · checked <t:1795199380:R>`,
      ].join('\n'),
    );
    expect(buttonsOf(embed).map(({ label, url }) => [label, url])).toEqual([
      ['Join', 'https://play.example.org/join/northwood-1'],
      ['Open page', 'https://play.example.org/servers/northwood-1'],
      ['Discord', project.discordUrl],
    ]);
    expect(embed.component.accent_color).toBe(0x2ecc71);
  });

  it('says offline and unknown, without an old number of players', () => {
    const of = (status: 'OFFLINE' | 'UNKNOWN') =>
      serverEmbed(view, shown({ server: server({ status, players: null, checkedAt: null }) }));
    expect(textOf(of('OFFLINE'))).toContain('🔴 Northwood | Chernarus\n**Offline**');
    expect(textOf(of('UNKNOWN'))).toContain('⚪ Northwood | Chernarus\n**Unknown**');
  });

  it('does without what is not known or not public', () => {
    const bare = shown({ schedules: [], joinPath: null });
    const embed = serverEmbed(viewOf({ discordUrl: null }), bare)!;
    expect(violations(embed)).toEqual([]);
    expect(textOf(embed)).not.toContain('restarts');
    expect(buttonsOf(embed).map(({ label }) => label)).toEqual(['Open page']);
  });

  it('leaves out buttons whose addresses Discord refuses', () => {
    for (const discordUrl of [
      'steam://connect/1.2.3.4',
      `https://x.example/${'a'.repeat(600)}`,
      'nonsense',
    ]) {
      const embed = serverEmbed(viewOf({ discordUrl }), shown())!;
      expect(violations(embed)).toEqual([]);
      expect(buttonsOf(embed)).toHaveLength(2);
    }
  });
});

describe('what Discord shows for a link to a project', () => {
  const of = (count: number, over: Partial<ShownServer> = {}) =>
    Array.from({ length: count }, (_, index) => shown({ server: servers[index % servers.length]!, ...over }));

  it('has every server with a button to join', () => {
    const embed = projectEmbed(view, of(3))!;
    expect(violations(embed)).toEqual([]);
    expect(textOf(embed)).toMatch(
      /^## Northwood\n🟢 \*\*Northwood \| Chernarus\*\*\n\*\*37 \/ 60\*\* players · /,
    );
    expect(buttonsOf(embed).map(({ label }) => label)).toEqual([
      'Join',
      'Join',
      'Join',
      'Open page',
      'Discord',
    ]);
    // Some of them are online.
    expect(embed.component.accent_color).toBe(0xf1a33c);
  });

  it.each([0, 1, 8, 9, 60])('fits with %i servers, and counts those that it leaves out', (count) => {
    const embed = projectEmbed(view, of(count))!;
    expect(violations(embed)).toEqual([]);
    if (count > 8) expect(textOf(embed)).toMatch(/more/);
    else expect(textOf(embed).match(/\*\*Northwood/g) ?? []).toHaveLength(count);
  });

  it('leaves servers out where names and addresses are long', () => {
    const long = of(8, {
      server: server({ name: '﷽'.repeat(128) }),
      joinPath: `/${'a'.repeat(400)}`,
    });
    const embed = projectEmbed(view, long)!;
    expect(violations(embed)).toEqual([]);
    expect(textOf(embed)).toMatch(/more/);
  });
});

it.each(locales)('keeps to the limits in %s, with hostile names', (locale) => {
  for (const name of [...hostileTexts(120), '</script><script>alert(1)</script>', '<!--', '﷽'.repeat(128)]) {
    const named = shown({ server: server({ name, map: name }) });
    const embeds = [
      serverEmbed(viewOf({}, locale), named),
      projectEmbed(
        viewOf({ title: name }, locale),
        Array.from({ length: 9 }, () => named),
      ),
    ];
    for (const embed of embeds) {
      expect(embed).not.toBeNull();
      expect(violations(embed!)).toEqual([]);
      expect(scriptJson(embed!)).not.toContain('<');
      expect(JSON.parse(scriptJson(embed!))).toEqual(embed);
      expect(textOf(embed)).not.toMatch(/undefined|NaN/);
    }
  }
});
