import { describe, expect, it } from 'vitest';
import { readLaunch, readStartScript, splitCommandLine } from '../src/start-script.ts';

describe('start parameters', () => {
  it.each([
    ['-config="C:\\My Server\\x.cfg" -PORT=2402', { config: 'C:\\My Server\\x.cfg', port: 2402 }],
    ['"-profiles=C:\\a b" -BEpath=be', { profiles: 'C:\\a b', battleye: 'be' }],
    ['-port=99999 -config=', { port: null, config: null }],
    ['-port=abc "-config=open', { port: null, config: 'open' }],
  ])('are read from %s', (line, expected) => {
    expect(readLaunch(splitCommandLine(line))).toMatchObject(expected);
  });

  it('are read from scripts, with their variables', () => {
    const script =
      '#!/bin/sh\nexport CFG="my.cfg"\nPORT=2402\n# ./DayZServer -config=old.cfg\n./DayZServer -config=$CFG -port=${PORT} -profiles=$ELSEWHERE/p\n';
    expect(readStartScript(script)).toMatchObject([{ config: 'my.cfg', port: 2402, profiles: null }]);
  });

  it.each([
    ['the folder of the script', 'start DayZServer_x64.exe "-profiles=%~dp0p" -port=2402', './p'],
    ['the folder in which a shell is', './DayZServer "-profiles=$(pwd)/p" -port=2402', './p'],
    [
      'a variable with blanks and its quotes',
      'set AT="C:\\My Server\\"\r\nset /a PORT=2402\r\nstart DayZServer_x64.exe -profiles=%AT%p -port=%PORT%',
      'C:\\My Server\\p',
    ],
    [
      'variables of variables',
      'AT=/srv/a\nP="$AT/p"\nPORT="${PORT:-2402}"\n./DayZServer -profiles=$P -port=$PORT',
      '/srv/a/p',
    ],
    [
      'a list in PowerShell',
      `$port = 2402\nStart-Process DayZServer_x64.exe -ArgumentList "-profiles=p", '-port=2402'`,
      'p',
    ],
    ['a list of several lines', 'ARGS=(\n  -port=2402\n  -profiles=p\n)\n./DayZServer "${ARGS[@]}"', 'p'],
  ])('are read from scripts that name %s', (_, script, profiles) => {
    expect(readStartScript(script)).toMatchObject([{ port: 2402, profiles }]);
  });
});

it('fills no memory with a script whose variables hold one another', () => {
  const lines = ['b', 'c', 'd', 'e', 'f'].map((name, i) => `set ${name}=${`%${'abcde'[i]}%`.repeat(130)}`);
  const script = `set a=${'x'.repeat(390)}\n${lines.join('\n')}\nDayZServer_x64.exe -config=%f% -port=2402\n`;
  const [launch] = readStartScript(script);
  expect(launch?.port).toBe(2402);
  expect(JSON.stringify(launch).length).toBeLessThan(5_000);
});
