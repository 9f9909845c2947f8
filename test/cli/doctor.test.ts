import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { reportText } from '../../src/cli/doctor.ts';
import type { GroupedFinding } from '../../src/cli/checks/run-rows.ts';

const findings: GroupedFinding[] = [
  { group: 'program', key: 'Outpost', tried: '1.0.0', status: 'good', found: 'fine' },
  {
    group: 'data',
    key: 'OUTPOST_DATA',
    tried: `/srv/${'long-name/'.repeat(4)}data`,
    status: 'wrong',
    found: 'the disk is full, and this sentence is so long that it does not fit into one line',
    next: 'free some space on the disk, or name another folder in OUTPOST_DATA, whichever is easier',
  },
  {
    group: 'servers',
    key: 's.queryPort',
    tried: '127.0.0.1:1',
    status: 'warning',
    found: 'map \u001B[31mevil\u0007',
    next: 'look',
  },
];

test('fits into 80 columns, group by group, with colours', () => {
  const text = reportText(findings, { columns: 80, hasColors: true });
  expect(text).toContain('\u001B[31m✗\u001B[39m');
  const plain = stripVTControlCharacters(text);
  expect(Math.max(...plain.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(plain.split('\n').filter((line) => /^[A-Z]/.test(line))).toEqual([
    'Program',
    'Data',
    'Game servers and their files',
  ]);
  expect(plain.split('\n').slice(4, 7)).toEqual([
    expect.stringMatching(/^ {2}✗ OUTPOST_DATA {2}\/srv\//),
    expect.stringMatching(/^ {4}\S/),
    expect.stringMatching(/^ {4}→ free some space on the disk/),
  ]);
  expect(plain.endsWith('1 problem, 1 warning, 1 fine.')).toBe(true);
});

test('a piped report has no control characters, and one line for each finding', () => {
  const text = reportText(findings, null);
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(text).toContain('  ! s.queryPort  127.0.0.1:1: map  [31mevil\n    → look\n');
  expect(text).toContain(
    '    → free some space on the disk, or name another folder in OUTPOST_DATA, whichever is easier\n',
  );
});

test('says so when all is well', () => {
  expect(reportText(findings.slice(0, 1), null)).toBe(
    'Program\n  ✓ Outpost  1.0.0: fine\n\nAll is well: 1 check.',
  );
});

test('shows advice that findings share once, below the last of them', () => {
  const mistake = (key: string): GroupedFinding => ({
    group: 'config',
    key,
    tried: 'line 1',
    status: 'wrong',
    found: 'x',
    next: 'correct it',
  });
  expect(reportText([mistake('a'), mistake('b')], null)).toContain(
    '  ✗ a  line 1: x\n  ✗ b  line 1: x\n    → correct it\n',
  );
});
