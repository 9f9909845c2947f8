import { run } from '../../src/cli/program.ts';

/** Runs a command in this process. The environment is the test's (`vi.stubEnv`). */
export async function outpost(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(args, { out: (text) => void out.push(text), err: (text) => void err.push(text) });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** Creates the store of a config that has the project `p`; commands that only read need one. */
export async function createStore(): Promise<void> {
  await outpost('app', 'create', '--project', 'p', '--name', 'First', '--scopes', 'all');
}
