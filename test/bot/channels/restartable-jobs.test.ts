import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import type { BackgroundJobs } from '../../../src/bot/channels/background-jobs.ts';
import { RestartableJobs } from '../../../src/bot/channels/restartable-jobs.ts';
import { held } from '../discord-world.ts';

const jobs = () => ({ stop: vi.fn(async () => undefined) }) as unknown as BackgroundJobs;

function restartable(start: () => Promise<BackgroundJobs>) {
  const stopping = new AbortController();
  const log = pino({ level: 'silent' });
  const error = vi.spyOn(log, 'error');
  return {
    stopping,
    error,
    created: new RestartableJobs({ start, settleMs: 1, log, signal: stopping.signal }),
  };
}

it('stops what was being started as the bot stopped', async () => {
  const starting = held<BackgroundJobs>();
  const start = vi.fn(() => starting.promise);
  const { created, stopping } = restartable(start);
  const restarted = created.restart();
  await vi.waitFor(() => expect(start).toHaveBeenCalled());
  stopping.abort();
  const started = jobs();
  starting.resolve(started);
  await restarted;
  expect(started.stop).toHaveBeenCalled();
});

it('starts them at the next change, if it failed before', async () => {
  const started = jobs();
  const start = vi.fn<() => Promise<BackgroundJobs>>();
  start.mockRejectedValueOnce(new Error('no')).mockResolvedValueOnce(started);
  const { created, error } = restartable(start);
  await created.restart();
  expect(error).toHaveBeenCalledOnce();
  expect(created.running).toBeUndefined();
  await created.restart();
  expect(created.running).toBe(started);
});
