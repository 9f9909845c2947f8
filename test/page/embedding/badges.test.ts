import sax from 'sax';
import { describe, expect, it } from 'vitest';
import { badgeFormats, badgeOf, type Badge } from '../../../src/page/embedding/badges.ts';
import { plainName } from '../../../src/page/view.ts';
import { server, servers } from '../../embeds/contract-data.ts';
import { hostileTexts } from '../../embeds/hostile-texts.ts';

const badgeSvg = (badge: Badge): string => badgeFormats.svg(badge).body as string;
const serverBadge = (kind: 'status' | 'players', one: ReturnType<typeof server>): Badge =>
  badgeOf(kind, plainName(one), [one]);
const says = ({ label, message }: { label: string; message: string }) => `${label}: ${message}`;

describe('the badge of a server', () => {
  it('says its state', () => {
    expect(says(serverBadge('status', server()))).toBe('Northwood | Chernarus: online');
    expect(says(serverBadge('status', server({ status: 'OFFLINE', players: null })))).toMatch(/: offline$/);
    expect(says(serverBadge('status', server({ status: 'UNKNOWN', players: null })))).toMatch(/: unknown$/);
  });

  it('says how many players, and the state where nobody can know', () => {
    const message = (over: Parameters<typeof server>[0]) => serverBadge('players', server(over)).message;
    expect(message({})).toBe('37/60 players');
    expect(message({ players: 0 })).toBe('0/60 players');
    expect(message({ players: 1, maxPlayers: null })).toBe('1 player');
    expect(message({ players: null })).toBe('online');
    expect(message({ status: 'OFFLINE', players: null })).toBe('offline');
  });

  it('has other colours for other states, each with white text that can be read', () => {
    const colours = (['ONLINE', 'OFFLINE', 'UNKNOWN'] as const).map((status) => {
      return serverBadge('status', server({ status })).color;
    });
    expect(new Set(colours).size).toBe(3);
    for (const colour of [...colours, badgeOf('status', 'x', servers).color]) {
      expect(contrastWithWhite(colour)).toBeGreaterThan(4.5);
      expect(badgeSvg({ label: 'x', message: 'y', color: colour })).toContain(`fill="${colour}"`);
    }
  });
});

describe('the badge of a project', () => {
  it('counts the servers that are online, and their players', () => {
    expect(says(badgeOf('status', 'Northwood', servers))).toBe('Northwood: 2/3 online');
    expect(says(badgeOf('players', 'Northwood', servers))).toBe('Northwood: 37/100 players');
    expect(badgeOf('status', 'Northwood', [server()]).message).toBe('online');
    const offline = server({ status: 'OFFLINE', players: null });
    expect(badgeOf('players', 'Northwood', [offline]).message).toBe('offline');
    expect(badgeOf('players', 'Northwood', []).message).toBe('unknown');
  });

  it('does not invent slots or players that a server did not report', () => {
    const silent = server({ players: null, maxPlayers: null });
    expect(badgeOf('players', 'Northwood', [server(), silent]).message).toBe('37 players');
    expect(badgeOf('players', 'Northwood', [silent]).message).toBe('online');
  });
});

it('draws hostile names as text alone, short enough for a line', () => {
  for (const name of [...hostileTexts(300), '</text><script>alert(1)</script>', '﷽'.repeat(128)]) {
    const badge = serverBadge('status', server({ name }));
    expect(badge.label.length).toBeLessThanOrEqual(40);
    expect(badge.label).not.toBe('');
    expect(elementsOf(badgeSvg(badge))).toEqual(elementsOf(badgeSvg({ ...badge, label: 'x' })));
  }
});

/** The names of the elements and attributes of a well-formed document. */
function elementsOf(svg: string): string[] {
  const found: string[] = [];
  const parser = Object.assign(sax.parser(true), {
    onerror: (error: Error) => {
      throw error;
    },
    onopentag: ({ name, attributes }: sax.Tag | sax.QualifiedTag) => {
      found.push([name, ...Object.keys(attributes)].join(' '));
    },
  });
  parser.write(svg).close();
  return found;
}

/** WCAG 2.2. */
function contrastWithWhite(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05);
}
