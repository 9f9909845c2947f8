import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { onEnd } from '../../src/process/child-process.ts';

function processEnding(connected: boolean): { child: ChildProcess; end: ReturnType<typeof vi.fn> } {
  const child = Object.assign(new EventEmitter(), { connected }) as ChildProcess;
  const end = vi.fn();
  onEnd(child, end);
  return { child, end };
}

test('a process has ended once what it sent was read, although Windows may report the end first', () => {
  const { child, end } = processEnding(true);
  child.emit('exit', 0, null);
  expect(end).not.toHaveBeenCalled();
  child.emit('disconnect');
  expect(end).toHaveBeenCalledExactlyOnceWith('0');
});

test('one that was disconnected before has ended when it exits', () => {
  const { child, end } = processEnding(false);
  child.emit('exit', null, 'SIGKILL');
  expect(end).toHaveBeenCalledExactlyOnceWith('SIGKILL');
});
