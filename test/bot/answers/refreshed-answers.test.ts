import { afterEach, expect, it } from 'vitest';
import { createRefreshedAnswers } from '../../../src/bot/answers/refreshed-answers.ts';
import type { Reply } from '../../../src/commands/command.ts';
import { until } from '../discord-world.ts';

const answers = createRefreshedAnswers(Date.now, () => undefined, 5);
afterEach(() => answers.stop());

/** An answer that has other words at each refresh. */
function changing(): Reply {
  let count = 0;
  const reply = (): Reply => ({
    embeds: [{ description: String((count += 1)) }],
    refresh: async () => reply(),
  });
  return reply();
}

/** Follows an answer of a command of one member, and counts its edits. */
function follow(command: string, first: Reply) {
  const edits = { count: 0 };
  const edit = async () => (edits.count += 1);
  answers.follow({ userId: '1', command, first, edit });
  return edits;
}

it('goes on while the member uses other commands, and ends with another answer of its own', async () => {
  const link = follow('link', changing());
  follow('status', { embeds: [] });
  await until(() => link.count >= 2);
  const again = follow('link', changing());
  const { count } = link;
  await until(() => again.count >= 3);
  expect(link.count).toBeLessThanOrEqual(count + 1);
  follow('link', { embeds: [] });
});
