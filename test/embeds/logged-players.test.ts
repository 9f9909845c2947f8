import { describe, expect, it } from 'vitest';
import {
  type LoggedPlayers,
  nameList,
  onlineEmbed,
  type OnlineView,
  statusNames,
} from '../../src/embeds/online.ts';
import { fit } from '../../src/embeds/limits.ts';
import { languageOf } from '../../src/locales/language.ts';
import * as data from './contract-data.ts';
import { expectSendable } from './message-rules.ts';

const language = languageOf('en-US');
const { now } = data;
const asOf = now - 40_000;
const ago = `<t:${asOf / 1000}:R>`;
const player = (name: string, seconds: number | null = null, isLoading = false) => ({
  name,
  seconds,
  isLoading,
});
const logged = (names: readonly string[], over: Partial<LoggedPlayers> = {}): LoggedPlayers => ({
  players: names.map((name) => player(name)),
  asOf,
  isComplete: true,
  ...over,
});

/** Of a DayZ server, whose query counts players and names none. */
function online(count: number | null, over: Partial<OnlineView>) {
  const listed = count ?? 0;
  const embed = fit([
    onlineEmbed(language, {
      server: data.server(),
      result: data.online([], { online: count, listedPlayers: listed, incompletePlayers: listed }),
      receivedAt: now,
      stale: false,
      ...over,
    }),
  ])[0]!;
  expectSendable([embed]);
  return { lines: embed.description?.split('\n').slice(1), names: embed.fields?.map(({ value }) => value) };
}

describe('/online with names from the server log', () => {
  it('lists them with the age of the log, and how long each has been on', () => {
    const players = [player('zoe', 4_300), player('Anna'), player('Bert', 20, true)];
    expect(online(3, { logged: logged([], { players }) })).toEqual({
      lines: [`Names from the server log, updated ${ago}.`],
      names: ['zoe · 1h 11m\nBert · joining\nAnna'],
    });
  });

  it.each([
    [5, ['Anna', 'Bert'], '5 online, 2 known by name'],
    [1, ['Anna', 'Bert'], '1 online, 2 known by name'],
    [2, [], '2 online, 0 known by name'],
  ])('says when the query counts %i and the log names %j', (count, names, text) => {
    expect(online(count, { logged: logged(names) }).lines).toEqual([`${text} (server log, updated ${ago}).`]);
  });

  it('says that players may be missing where part of the log is', () => {
    const { lines } = online(2, { logged: logged(['Anna'], { isComplete: false }) });
    expect(lines?.[1]).toBe('Part of the log is missing, so there may be more players.');
  });

  it('names nobody once the log is silent, nor while the query finds nobody', () => {
    expect(online(2, { logged: logged([], { players: null }) })).toEqual({
      lines: [`No names: the server log was last updated ${ago}.`],
      names: undefined,
    });
    expect(online(0, { logged: logged(['Anna']) })).toEqual({
      lines: ['Nobody is online right now. Be the first!'],
      names: undefined,
    });
  });

  it('leaves the names of the query alone', () => {
    const result = data.online(['Anna', 'Bert']);
    expect(online(2, { result, logged: logged(['Zoe']) })).toEqual({ lines: [], names: ['Anna\nBert'] });
  });

  it('needs no list of the query', () => {
    const { lines, names } = online(2, { countOnly: true, logged: logged(['Anna', 'Bert']) });
    expect(lines).toEqual([`Names from the server log, updated ${ago}.`]);
    expect(names).toEqual(['Anna\nBert']);
    const unknown = online(null, { logged: logged(['Anna']) });
    expect(unknown.lines?.[0]).toBe("The game server didn't report a player count.");
  });

  it('escapes names and keeps to the limits', () => {
    const names = Array.from({ length: 127 }, (_, index) => `**[a](https://x)** @everyone <@1> ${index}`);
    const shown = online(127, { logged: logged(names) }).names?.join('\n') ?? '';
    expect(shown).toContain('\\*\\*\\[a\\]');
    expect(shown).toMatch(/…and \d+ more$/);
  });
});

describe('names in one line', () => {
  it('are in alphabetical order, escaped, and as many as fit', () => {
    const { players } = logged(['zoe the third', 'Anna', '*Bert*', '\u200b']);
    expect(nameList(language, players ?? [], 1000)).toBe('(no name), \\*Bert\\*, Anna, zoe the third');
    expect(nameList(language, players ?? [], 34)).toBe('(no name), \\*Bert\\*, …and 2 more');
  });
});

describe('names in a status', () => {
  const names = (server: Parameters<typeof data.server>[0], of: LoggedPlayers) =>
    statusNames(language, data.server(server), of, 300);

  it('are left out while the server is offline or empty', () => {
    expect(names({ players: 1 }, logged(['Anna']))).toBe(
      `Anna\n-# Names from the server log, updated ${ago}.`,
    );
    expect(names({ status: 'UNKNOWN', players: null }, logged(['Anna']))).toContain('Anna');
    expect(names({ status: 'OFFLINE', players: null }, logged(['Anna']))).toBe('');
    expect(names({ players: 0 }, logged(['Anna']))).toBe('');
  });

  it('fit together with the age of the log', () => {
    const many = Array.from({ length: 60 }, (_, index) => `Player number ${index}`);
    const text = names({ players: 60 }, logged(many));
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text).toMatch(/…and \d+ more\n-# Names from the server log/);
  });

  it('are those of the query where it gives any', () => {
    expect(statusNames(language, data.server(), [{ name: 'zoe' }, { name: 'Anna' }], 300)).toBe('Anna, zoe');
  });
});
