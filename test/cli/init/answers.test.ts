import { describe, expect, it } from 'vitest';
import { readGameAddress, readLoginAddress } from '../../../src/cli/init/login.ts';
import { displayName, slugOf, variableOf } from '../../../src/cli/init/names.ts';
import { wrap } from '../../../src/cli/wrap.ts';
import { inviteLink } from '../../../src/bot/invite.ts';
import { tokenProblem } from '../../../src/bot/token-form.ts';

describe('the address of a host', () => {
  it.each([
    ['sftp://kim@example.org:2022', { scheme: 'sftp', username: 'kim', host: 'example.org', port: 2022 }],
    ['kim@example.org', { scheme: 'sftp', username: 'kim', host: 'example.org', port: null }],
    [
      'sftp://admin.1a2b3c4d@node-7.example.org:2022/',
      { username: 'admin.1a2b3c4d', host: 'node-7.example.org' },
    ],
    [
      'FTP://kim%40home:pa%3Ass@203.0.113.7/profiles',
      { scheme: 'ftp', username: 'kim@home', password: 'pa:ss', host: '203.0.113.7' },
    ],
    ['kim@home.example@example.org:21', { scheme: 'ftp', username: 'kim@home.example', port: 21 }],
    ['kim@[2001:db8::1]:22', { host: '2001:db8::1', port: 22 }],
    ['  kim@example.org  ', { host: 'example.org' }],
  ])('is read from %s', (text, expected) => {
    expect(readLoginAddress(text)).toMatchObject(expected);
  });

  it.each([
    '',
    'example.org',
    'http://kim@example.org',
    'kim@',
    '@example.org',
    'kim@example.org:0',
    'kim@example.org:99999',
    'kim@a b',
  ])('is not %j', (text) =>
    expect(() => readLoginAddress(text)).toThrow('Expected an address such as sftp://'),
  );
});

describe('the address of a game server', () => {
  it.each([
    ['203.0.113.7:2302', { host: '203.0.113.7', port: 2302 }],
    ['play.example.org', { host: 'play.example.org', port: null }],
    ['[::1]:2302', { host: '::1', port: 2302 }],
  ])('is read from %s', (text, expected) => expect(readGameAddress(text)).toEqual(expected));

  it.each(['', 'http://x', 'x:y', 'x:0', 'a/b', ':2302'])('is not %j', (text) => {
    expect(() => readGameAddress(text)).toThrow('Expected an address such as 203.0.113.7:2302');
  });
});

describe('a name', () => {
  it.each([
    ['[EU] Café North', 'eu-cafe-north'],
    ['Northwood | Chernarus | discord.gg/northwood', 'northwood-chernarus'],
    ['Привет', null],
    ['Привет 2', '2'],
    ['x'.repeat(80), 'x'.repeat(24)],
    ['Große Wölfe', 'grosse-wolfe'],
    ['Złoty Świt | Østfold', 'zloty-swit-ostfold'],
  ])('%s becomes the id %s', (name, slug) => expect(slugOf(name)).toBe(slug));

  it('of a variable has only letters, digits and _', () => {
    expect(variableOf('1-a.b', 'SFTP_PASSWORD')).toBe('_1_A_B_SFTP_PASSWORD');
  });

  it('is one line', () => {
    expect(displayName(' a\n\tb ', 'x')).toBe('a b');
    expect(displayName('\n', 'x')).toBe('x');
    expect(displayName('🧟'.repeat(100), 'x').length).toBeLessThanOrEqual(100);
    expect(displayName(`a${'🧟'.repeat(100)}`, 'x')).toBe(`a${'🧟'.repeat(49)}`);
  });
});

describe('a text on a narrow terminal', () => {
  it.each([
    ['short', 'short'],
    ['one two three four', 'one two\nthree four'],
    ['  one two three four', '  one two\n  three\n  four'],
    ['- one two three four', '- one two\n  three\n  four'],
    ['logs  one two three', 'logs  one\n      two\n      three'],
    ['https://example.org/long and', 'https://example.org/long\nand'],
    ['', ''],
  ])('%j becomes %j', (text, wrapped) => expect(wrap(text, 10)).toBe(wrapped));
});

describe('a token', () => {
  it.each([
    ['1100000000000000900', 'an application id'],
    ['a'.repeat(64), 'public key'],
    ['AbCdEfGhIjKlMnOpQrStUvWxYz012345', 'a client secret'],
    ['a b', 'a blank'],
    ['tökenwithanumlaut', 'characters that no token has'],
  ])('is not %s', (token, mistake) => expect(tokenProblem(token)).toContain(mistake));

  it('may be one', () => {
    expect(tokenProblem('MTAwMDAwMDAwMDAwMDAwMDAw.GabcdE.abcdefghijklmnopqrstuvwxyz012345678901')).toBeNull();
  });

  it('has an invitation with the permissions that posts need', () => {
    expect(inviteLink('42')).toBe(
      'https://discord.com/oauth2/authorize?client_id=42&scope=bot+applications.commands&permissions=52224',
    );
  });
});
