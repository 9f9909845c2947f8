import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run } from '../../src/cli/program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-completion-'));
  const server = '{ id: north-1, name: N, host: 127.0.0.1, port: 1 }';
  writeFileSync(
    join(folder, 'outpost.yaml'),
    `projects: [{ slug: p, name: P, servers: [${server}], banlists: [{ id: north-bans, name: B }] }]`,
  );
  vi.stubEnv('OUTPOST_CONFIG', join(folder, 'outpost.yaml'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** What the command prints; the library prints by itself. */
async function printed(...args: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const code = await run(args, {
    out: (line) => void lines.push(line),
    err: (line) => void lines.push(line),
  });
  return { code, text: lines.join('\n') };
}

/** What a shell offers after these words. */
async function offered(...words: string[]): Promise<string[]> {
  const { text } = await printed('complete', '--', ...words);
  return text.split('\n').flatMap((line) => (line.startsWith(':') ? [] : [line.split('\t')[0] as string]));
}

test('the Tab key offers commands, options and the ids of the config', async () => {
  expect(await offered('')).toEqual(expect.arrayContaining(['start', 'import', 'ban', 'completion']));
  expect(await offered('import', '')).toEqual(expect.arrayContaining(['adm', 'events', 'bans', 'players']));
  expect(await offered('ban', 'add', '--')).toEqual(expect.arrayContaining(['--banlist', '--reason']));
  expect(await offered('import', 'adm', '--server', '')).toEqual(['north-1']);
  expect(await offered('ban', 'add', '--banlist', 'no')).toEqual(['north-bans']);
  expect(await offered('app', 'create', '--project', '')).toEqual(['p']);
});

test('a config with a mistake takes nothing but the ids away', async () => {
  writeFileSync(join(folder, 'outpost.yaml'), 'projects: [');
  expect(await offered('import', 'adm', '--server', '')).toEqual([]);
  expect(await offered('import', 'a')).toEqual(['adm']);
});

test.each(['bash', 'zsh', 'fish', 'powershell'])(
  'prints a script for %s that calls outpost',
  async (shell) => {
    const { code, text } = await printed('completion', shell);
    expect(code).toBe(0);
    expect(text).toMatch(/outpost complete '?--'?/);
    if (shell === 'bash') execFileSync('bash', ['-n'], { input: text });
  },
);

test('help marks what is required', async () => {
  const { text } = await printed('ban', 'add', '--help');
  expect(text).toMatch(/--banlist <id> .*\(required\)/);
  expect(text).toMatch(/--reason <text> .*\(required\)/);
  expect(text).not.toMatch(/--for <duration> .*\(required\)/);
});
