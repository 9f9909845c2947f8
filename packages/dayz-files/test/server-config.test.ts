import { describe, expect, it } from 'vitest';
import { isServerConfig, readServerConfig } from '../src/index.ts';

const stock = `hostname = "EXAMPLE NAME";  // Server name
password = "";              // Password to connect to the server
passwordAdmin = "hunter2";         // Password to become a server admin
description = "";			// Description of the server. Gets displayed to users in client server browser.
enableWhitelist = 0;        // Enable/disable whitelist (value 0-1)
maxPlayers = 60;            // Maximum amount of players
serverTime="SystemTime";    // "2015/4/8/17/23" .
motd[] = { "https://example.org/", "a } brace", "line2" };
instanceId = 1;             // DayZ server instance id
storageAutoFix = 1;
storeHouseStateDisabled = false;
adminLogPlayerHitsOnly = 0;	// 1 - log player hits only / 0 - log all hits ( animals/infected )
adminLogPlayerList = true;
steamQueryPort = 2305;
class Missions
{
    class DayZ
    {
        template="dayzOffline.chernarusplus"; // Mission to load on server startup. <MissionName>.<TerrainName>
    };
};
`;

const read = (text: string) => readServerConfig(Buffer.from(text));

describe('a serverDZ.cfg', () => {
  it('is read as the game ships it', () => {
    const config = read(stock);
    expect(config).toMatchObject({
      hostname: 'EXAMPLE NAME',
      maxPlayers: 60,
      instanceId: 1,
      steamQueryPort: 2305,
      adminLogPlayerHitsOnly: 0,
      adminLogPlayerList: 1,
      missionTemplate: 'dayzOffline.chernarusplus',
      problems: [],
    });
    expect(config.lines.get('steamQueryPort')).toBe(14);
    expect(config.lines.get('template')).toBe(19);
    expect(isServerConfig(config)).toBe(true);
  });

  it('never passes passwords on', () => {
    const broken = 'passwordAdmin = "hunter2\npassword = "hunter2" "x";\nhunter2 {\n"hunter2";\n';
    const shown = [
      ...read(stock).lines.keys(),
      JSON.stringify(read(stock)),
      JSON.stringify(read(broken).problems),
    ];
    expect(shown.join('\n').replaceAll('expected = after hunter2', '')).not.toContain('hunter2');
  });

  it.each([
    ['a UTF-8 byte order mark', Buffer.from(`\uFEFF${stock}`)],
    ['UTF-16 LE with a mark', Buffer.from(`\uFEFF${stock}`, 'utf16le')],
    ['UTF-16 LE without a mark', Buffer.from(stock, 'utf16le')],
    ['UTF-16 BE with a mark', Buffer.from(`\uFEFF${stock}`, 'utf16le').swap16()],
    ['UTF-16 BE without a mark', Buffer.from(stock, 'utf16le').swap16()],
    ['CRLF', Buffer.from(stock.replaceAll('\n', '\r\n'))],
    ['CR alone', Buffer.from(stock.replaceAll('\n', '\r'))],
    ['NULs behind a crash', Buffer.from(`${stock}\0\0\0\0\0\0`)],
  ])('may have %s', (_, bytes) => {
    const config = readServerConfig(bytes);
    expect(config).toMatchObject({ hostname: 'EXAMPLE NAME', steamQueryPort: 2305, problems: [] });
    expect(config.lines.get('steamQueryPort')).toBe(14);
  });

  it.each([
    ['Windows-1252', Buffer.from('hostname = "Caf\xe9 M\xfcller \x80";', 'latin1'), 'Café Müller €'],
    ['Windows-1251', Buffer.from('hostname = "\xcf\xf0\xe8\xe2\xe5\xf2";', 'latin1'), 'Привет'],
    ['UTF-8', Buffer.from('hostname = "Привет Café 🧟";'), 'Привет Café 🧟'],
  ])('may hold a name in %s', (_, bytes, hostname) => {
    expect(readServerConfig(bytes).hostname).toBe(hostname);
  });

  it.each([
    ['[EU] North: #1 | "best"', 'hostname = "[EU] North: #1 | ""best""";'],
    ['C:\\new\\test // no comment', 'hostname = "C:\\new\\test // no comment";'],
    ['/* no comment */', 'hostname="/* no comment */";'],
    ['a;b', 'hostname = "a;b";'],
    ["it's", 'hostname = "it\'s";'],
    ['single', "hostname = 'single';"],
    ['bare words', 'hostname = bare words ; // as some panels write it'],
    ['x', 'HOSTNAME="x";'],
    ['x', '/* hostname = "old"; */ hostname /**/ = "x"\n;'.replace(' /**/', '')],
    ['x y', 'hostname = "x\ty";'],
  ])('gives the name %s', (hostname, text) => {
    const config = read(text);
    expect(config.hostname).toBe(hostname);
    expect(config.problems).toEqual([]);
  });

  it.each([
    [
      'a missing semicolon',
      'hostname = "x"\ninstanceId = 3;',
      1,
      'a ; is missing after the value of hostname',
    ],
    [
      'an open string',
      'hostname = "x;\ninstanceId = 3;',
      1,
      'the text of hostname is not closed: a " is missing',
    ],
    [
      'a quote in a name',
      'hostname = "a "b" c";\ninstanceId = 3;',
      1,
      'expected ; after the value of hostname',
    ],
    ['no value', 'hostname = ;\ninstanceId = 3;', 1, 'hostname has no value'],
    ['no equals sign', 'instanceId = 3;\nhostname "x";', 2, 'expected = after hostname'],
    ['another syntax', 'instanceId = 3;\n\n#include "x"', 3, 'expected a setting, such as maxPlayers = 60;'],
    [
      'an open list',
      'motd[] = { "a",\ninstanceId = 3;',
      1,
      'the list of motd is not closed: a } or " is missing',
    ],
    ['an open comment', 'instanceId = 3;\n/* hostname = "x";', 2, 'a comment is not closed: */ is missing'],
    ['a brace too many', 'instanceId = 3;\n};', 2, 'a } closes nothing'],
    [
      'an open class',
      'instanceId = 3;\nclass Missions\n{',
      2,
      'class Missions is not closed: a line with }; is missing',
    ],
    [
      'a port that is none',
      'instanceId = 3;\nsteamQueryPort = 99999;',
      2,
      'steamQueryPort: expected a number from 1 to 65535',
    ],
    [
      'words for a number',
      'instanceId = 3;\nsteamQueryPort = "auto";',
      2,
      'steamQueryPort: expected a number from 1 to 65535',
    ],
    [
      'a setting twice',
      'hostname = "a";\ninstanceId = 3;\nhostname = "b";',
      3,
      'hostname is already set in line 1: keep one',
    ],
    [
      'a path as mission',
      'instanceId = 3;\nclass Missions { class DayZ { template = "../../etc"; }; };',
      2,
      'template: expected a mission, such as dayzOffline.chernarusplus',
    ],
  ])('with %s says in which line, and is read on', (_, text, line, problem) => {
    const config = read(text);
    expect(config.problems).toEqual([{ line, problem }]);
    expect(config.instanceId).toBe(3);
    expect(config.missionTemplate).toBeNull();
  });

  it('is read as far as possible where its classes are broken', () => {
    expect(read('class Missions { class DayZ { template = dayzOffline.enoch } }').missionTemplate).toBe(
      'dayzOffline.enoch',
    );
    expect(read('template = "dayzOffline.enoch";').missionTemplate).toBeNull();
    expect(read('class Other { hostname = "x"; };').hostname).toBeNull();
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['another program', Buffer.from('RConPassword secret\nRestrictRCon 0\n')],
    ['noise', Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 256))],
    ['many open lists', Buffer.from('a[]={\n'.repeat(150_000))],
    ['many open classes', Buffer.from('class a {\n'.repeat(100_000))],
    ['many braces', Buffer.from('}'.repeat(1_000_000))],
    ['a very large file', Buffer.alloc(2_000_000, 'hostname = "x";\n')],
  ])('is not %s', (_, bytes) => {
    const config = readServerConfig(bytes);
    expect(isServerConfig(config)).toBe(false);
    expect(config.problems.length).toBeLessThanOrEqual(50);
  });
});
