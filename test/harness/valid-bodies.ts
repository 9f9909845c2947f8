import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, expect } from 'vitest';
import type { RequestRecord } from 'local-discord';
import { requestsChannel } from '../../packages/local-discord/src/rest/request-record.ts';

/*
 * Fails every test in which the bot sends a local Discord what the real one would refuse, or what mentions somebody.
 */

const sent: RequestRecord[] = [];

const record = (request: unknown): void => void sent.push(request as RequestRecord);

subscribe(requestsChannel, record);

async function check(): Promise<void> {
  if (sent.length === 0) return;
  // Discord's schemas are large, and most tests know no Discord.
  const { requestViolations } = await import('./request-rules.ts');
  const violations = sent.splice(0).flatMap(requestViolations);
  expect(violations, 'what the bot sent').toEqual([]);
}

afterEach(check);
afterAll(async () => {
  // The next file of tests in this process has a subscription of its own.
  unsubscribe(requestsChannel, record);
  await check();
});
