import { expect, it } from 'vitest';
import { confirm } from '../../src/cli/confirm.ts';
import { CommandFailure } from '../../src/cli/output.ts';
import { keys, typedTerminal } from './init/terminal-in-test.ts';

const asked = async (...typed: string[]): Promise<void> => {
  const { terminal, answer } = typedTerminal();
  const done = confirm('Delete it?', 'Nothing was deleted.', undefined, terminal);
  await answer('Delete it? (yes/no)', ...typed);
  await done;
};

it.each([
  ['Ctrl+C', keys.cancel],
  ['Ctrl+D', '\x04'],
  ['no', 'no\r'],
  ['Enter alone', keys.enter],
])('%s changes nothing, and says so without a stack', async (_, typed) => {
  await expect(asked(typed)).rejects.toThrow(new CommandFailure('Nothing was deleted.'));
});

it('goes on with yes', async () => {
  await expect(asked('YES\r')).resolves.toBeUndefined();
});
