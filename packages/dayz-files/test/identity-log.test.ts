import { describe, expect, test } from 'vitest';
import { type GameEvent, LocalZone, readBlocks, serverReport } from '../src/index.ts';
import { sourceOf, steamA } from './fixture.ts';

const guid = '3136185f8ab4f601875da476f9a00dbb';
const hours = Array.from({ length: 24 }, (_, hour) => hour);

const forms = {
  'an .RPT up to 1.25': ` Player "Night" is connected (steamID=${steamA})`,
  'an .RPT since 1.26': ` Player "Night"(steamID=${steamA}) is connected`,
  'the console, from BattlEye': ` BattlEye Server: Verified GUID (${guid}) of player #2 Night`,
};

const hourForms = {
  'padded with a blank, as the game does': (hour: number) => String(hour).padStart(2, ' '),
  'not padded': (hour: number) => String(hour),
  'padded with a zero': (hour: number) => String(hour).padStart(2, '0'),
  indented: (hour: number) => `          ${hour}`,
};

describe('people are found at every hour of the day', () => {
  for (const [form, message] of Object.entries(forms)) {
    for (const [padding, hourOf] of Object.entries(hourForms)) {
      for (const fraction of ['', '.8', '.824']) {
        test(`${form}, an hour ${padding}, seconds such as 30${fraction}`, async () => {
          const lines = hours.map((hour) => `${hourOf(hour)}:47:30${fraction}${message}`);
          const events = await read(`Current time:  2024/05/01 00:00:00\n${lines.join('\n')}\n`);
          expect(events.map((event) => [new Date(event.at as number).getUTCHours(), nameOf(event)])).toEqual(
            hours.map((hour) => [hour, 'Night']),
          );
        });
      }
    }
  }

  test('also behind a byte order mark, with Windows line ends, in a file without a date', async () => {
    const text = `\uFEFF 0:47:30 Player "Night" is connected (steamID=${steamA})\r\n`;
    expect(await read(text)).toEqual([
      { kind: 'identity', at: null, steamId64: steamA, battleyeGuid: null, name: 'Night' },
    ]);
  });
});

test('a connect line inside a chat message or behind other words names nobody', async () => {
  const line = `Player "Night" is connected (steamID=${steamA})`;
  const chat = ` 0:47:30 BattlEye Server: (Global) Liar: ${line}`;
  expect(await read(`${chat}\n 0:47:31 SCRIPT : ${line}\n${line}\n99:99:99 ${line}\n`)).toEqual([]);
});

test('a name that contains the words of another line hides nobody', async () => {
  for (const name of ['(steamID=', 'Verified GUID', `x" (steamID=${steamA}) is connected`]) {
    const lines = [
      `12:00:00 Player "${name}"(steamID=${steamA}) is connected`,
      `12:00:00 Player "${name}" is connected (steamID=${steamA})`,
      `12:00:00 BattlEye Server: Verified GUID (${guid}) of player #1 ${name}`,
    ];
    expect((await read(`${lines.join('\n')}\n`)).map(nameOf)).toEqual([name, name, name]);
  }
});

test('a name with a line separator of Unicode, and doubled line ends, hide nobody', async () => {
  for (const name of ['a\u2028b', 'a\u2029', '\u0085a']) {
    const lines = Object.values(forms).map((form) => `12:00:00${form.replace('Night', name)}`);
    expect((await read(`${lines.join('\r\r\n')}\r\r\n`)).map(nameOf)).toEqual([name, name, name]);
  }
});

test('a last line that has not ended names nobody: it may be cut inside the name', async () => {
  const whole = `12:00:00 BattlEye Server: Verified GUID (${guid}) of player #1 Survivor\n`;
  for (let cut = 1; cut < whole.length; cut++) expect(await read(whole.slice(0, cut))).toEqual([]);
  expect((await read(whole)).map(nameOf)).toEqual(['Survivor']);
});

async function read(text: string): Promise<Extract<GameEvent, { kind: 'identity' }>[]> {
  const events: Extract<GameEvent, { kind: 'identity' }>[] = [];
  const reader = serverReport.open({ zone: new LocalZone('UTC') });
  for await (const block of readBlocks(sourceOf(text))) {
    reader.read(block, (event) => {
      if (event.kind === 'identity') events.push(event);
    });
  }
  return events;
}

const nameOf = ({ name }: { name: string | null }): string | null => name;
