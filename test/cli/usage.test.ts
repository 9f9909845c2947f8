import { expect, it } from 'vitest';
import { outpost } from '../harness/command-line.ts';

it.each([
  ['an unknown command', ['frobnicate']],
  ['a missing option', ['app', 'create', '--project', 'northwood']],
  ['an unknown scope', ['app', 'create', '--project', 'northwood', '--name', 'x', '--scopes', 'all,root']],
  ['an empty name', ['app', 'create', '--project', 'northwood', '--name', ' ', '--scopes', 'all']],
  ['an unknown format', ['import', 'bans', '--banlist', 'b', '--format', 'csv', 'x']],
  [
    'a ban of more than 100 years',
    [
      'ban',
      'add',
      '--banlist',
      'b',
      '--player',
      '76561198207985320',
      '--category',
      'OTHER',
      '--reason',
      'x',
    ].concat('--for', '5219w'),
  ],
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
