import { expect, it } from 'vitest';
import { version } from '../../src/process/version.ts';
import { outpost } from '../harness/command-line.ts';

const ban = [
  'ban',
  'add',
  '--banlist',
  'b',
  '--player',
  '76561198207985320',
  '--category',
  'OTHER',
  '--reason',
];

it.each([
  ['an unknown command', ['frobnicate']],
  ['a missing option', ['app', 'create', '--project', 'northwood']],
  ['an unknown scope', ['app', 'create', '--project', 'northwood', '--name', 'x', '--scopes', 'all,root']],
  ['an empty name', ['app', 'create', '--project', 'northwood', '--name', ' ', '--scopes', 'all']],
  ['an unknown format', ['import', 'bans', '--banlist', 'b', '--format', 'csv', 'x']],
  ['a ban of more than 100 years', [...ban, 'x', '--for', '5219w']],
  ...['', ' ', 'x'.repeat(1001)].map((reason): [string, string[]] => [
    `a reason of ${reason.length} characters`,
    [...ban, reason],
  ]),
  ['an identifier with a prefix', ['ban', 'lift', '--banlist', 'b', '--player', 'steam:1']],
])('ends with 2 after %s', async (_name, args) => {
  expect((await outpost(...args)).code).toBe(2);
});

it('has help for every command', async () => {
  for (const command of [
    ['start'],
    ['demo'],
    ['check-config'],
    ['app', 'create'],
    ['import', 'adm'],
    ['sources'],
    ['ban', 'add'],
    ['deploy-commands'],
  ]) {
    const { code, out } = await outpost(...command, '--help');
    expect(code).toBe(0);
    expect(out).toContain('Usage: outpost');
  }
});

it.each(['--version', '-v'])('prints its version for %s', async (name) => {
  expect(await outpost(name)).toEqual({ code: 0, out: version, err: '' });
});

it('has help in groups, with every command in one of them, examples, and where to read on', async () => {
  const { out } = await outpost('--help');
  const headings = out.split('\n').filter((line) => /^[A-Z].*:$/.test(line));
  expect(headings).toEqual([
    'Options:',
    'Set up and run:',
    'Find out what is wrong:',
    'Players, bans and access:',
    'Keep and move data:',
    'Help:',
    'Examples:',
  ]);
  expect(out).toMatch(/\n {2}outpost init {2,}write the config/);
  expect(out).toMatch(/Documentation: docs\/setup\.md/);
});
