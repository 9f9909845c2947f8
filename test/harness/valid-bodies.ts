import { subscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, expect } from 'vitest';
import type { RequestRecord } from 'local-discord';
import { requestsChannel } from '../../packages/local-discord/src/rest/request-record.ts';

/*
 * Fails every test in which the bot sends a local Discord what the real one would refuse, or what mentions somebody.
 */

const sent: RequestRecord[] = [];

subscribe(requestsChannel, (record) => void sent.push(record as RequestRecord));

async function check(): Promise<void> {
  if (sent.length === 0) return;
  // Discord's schemas are large, and most tests know no Discord.
  const { requestViolations } = await import('./request-rules.ts');
  const violations = sent.splice(0).flatMap(requestViolations);
  expect(violations, 'what the bot sent').toEqual([]);
}

afterEach(check);
afterAll(check);
