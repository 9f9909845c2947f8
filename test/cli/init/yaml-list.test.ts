import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withEntry } from '../../../src/cli/init/yaml-list.ts';

const path = ['projects', 0, 'servers'];
const entry = { id: 'b', host: '::1', files: { type: 'sftp' } };
const add = (text: string): string => withEntry(text, path, entry);
const added = (column: number): string =>
  ['- id: b', '  host: ::1', '  files:', '    type: sftp', ''].join(`\n${' '.repeat(column)}`).trimEnd();

describe('an entry is added to a list', () => {
  it.each([
    [
      'at its end, before what follows',
      'projects:\n  - slug: a   # mine\n    servers:\n      - id:  a # one\n        name: x   # two\n\n    # bans\n    banlists: []\n\ndiscord: {guilds: []} # odd\n',
      '        name: x   # two\n',
      6,
    ],
    [
      'behind the comments of the last entry',
      'projects:\n- servers:\n  - id: a\n    # name: y\n\n    # more\n# the bot\ndiscord: {}\n',
      '    # more\n',
      2,
    ],
    [
      'behind a text of several lines',
      'projects:\n  - servers:\n      - id: |\n          a\n          b\nhttp: {}\n',
      '          b\n',
      6,
    ],
    [
      'at the end of a file without a line break',
      'projects:\n  - servers:\n      - id: a',
      '      - id: a',
      6,
    ],
  ])('%s', (_, text, before, column) => {
    const at = text.indexOf(before) + before.length;
    const lineBreak = text[at - 1] === '\n' ? '' : '\n';
    const inserted = `${lineBreak}${' '.repeat(column)}${added(column)}\n`;
    expect(add(text)).toBe(`${text.slice(0, at)}${inserted}${text.slice(at)}`);
  });

  it.each([
    ['empty', 'projects:\n  - slug: a\n    servers: [] # none yet\n    name: x\n', 'servers: # none yet\n'],
    ['without a value', 'projects:\n  - slug: a\n    servers:\n    name: x\n', 'servers:\n'],
  ])('that is %s', (_, text, key) => {
    expect(add(text)).toBe(`projects:\n  - slug: a\n    ${key}      ${added(6)}\n    name: x\n`);
  });

  it('that is missing', () => {
    expect(add('projects:\n  - slug: a # mine\n    name: x\n# end\n')).toBe(
      `projects:\n  - slug: a # mine\n    name: x\n    servers:\n      ${added(6)}\n# end\n`,
    );
  });

  it('with the line breaks of Windows', () => {
    const text = add('projects:\r\n  - servers:\r\n      - id: a\r\ndiscord: {}\r\n');
    expect(text).toContain('      - id: a\r\n      - id: b\r\n');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it.each([
    'projects: [{ slug: a, servers: [{ id: a }] }] # mine\n',
    '{"projects": [{"slug": "a", "servers": []}]}',
    'projects:\n  - slug: a\n    servers: [{ id: a }] # mine\n',
  ])('that is written as %j, whose comments and values stay', (text) => {
    const result = add(text);
    const before = parse(text) as { projects: [{ servers: object[] }] };
    const [project] = before.projects;
    const servers = [...project.servers, entry];
    expect((parse(result) as typeof before).projects).toEqual([{ ...project, servers }]);
    expect(result.includes('# mine')).toBe(text.includes('# mine'));
  });

  it.each([
    'x: &all\n  - id: a\nprojects:\n  - servers: *all\n',
    'projects:\n  - servers: &all\n      - id: a\nx: *all\n',
  ])('by hand where it is in several places: %j', (text) =>
    expect(() => add(text)).toThrow(/"projects.0.servers" has to be changed by hand. Add:\n- id: b\n/),
  );
});
