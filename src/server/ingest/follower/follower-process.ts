import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { LocalFiles, RemotePlaces } from 'game-files';
import { within } from '../../../process/time-limit.ts';
import { openWriter } from '../../store/engine/database.ts';
import { wipeIfWanted } from '../../store/repositories/rights/wipe.ts';
import { knownHostsInStore } from '../../store/repositories/projects/trusted-hosts.ts';
import type { SourceOutcome } from './polled-source.ts';
import { localFolders, presentHere } from './source-leases.ts';
import { type FollowedWork, SourceWatch } from './source-watch.ts';

/** The first message to the process. */
export interface FollowStart {
  /** Where the store is: a file or a URL. */
  store: string;
  work: FollowedWork;
}

/** Later messages: changed work, `check` polls everything, `stop` ends the process. */
export type FollowMessage = Partial<FollowedWork> | 'check' | 'stop';

/**
 * What the process sends. `alive`: it runs and can read files; the first one says that it has loaded. `outcome`: what has
 * changed with a source. `present`: the leases whose folders exist here.
 */
export type FollowReport = { outcome: SourceOutcome } | { present: string[] } | 'alive';

const aliveEveryMs = 2_000;
const pollEveryMs = 1_000;
/** How often to poll everything, and not only at what changes from second to second. */
const fullPollEveryMs = 60_000;
/** Polls have this long to stop at their next block. After that the files are closed under those that still read. */
const graceMs = 1_000;
/** One for each poll that stores at the same time. */
const connections = 8;

/**
 * The whole of the process: follows sources from its first message until `stop` arrives. It has a writing connection of its
 * own, and the service sees what it stores as another process's changes.
 */
export function follow(): void {
  // Ctrl+C, a service manager's SIGTERM and a closed terminal's SIGHUP reach every process of the service. The main one ends this
  // one, or reloads the config.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  // Without the main process nobody keeps another one from following the same files. SQLite rolls back what is open.
  process.once('disconnect', endNow);
  // It may have ended while this one was loading.
  if (!process.connected) endNow();
  process.once('message', (start: FollowStart) => void followFrom(start));
  void sendAlive();
  setInterval(() => void sendAlive(), aliveEveryMs);
}

/** Not `process.exit`, which waits for a read of a share that hangs. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}

const report = (one: FollowReport): void => {
  if (process.connected) process.send?.(one);
};

/** Sent by way of Node's thread pool, which reads the files: when all its threads hang, this process is of no use. */
async function sendAlive(): Promise<void> {
  await promisify(randomBytes)(1);
  report('alive');
}

async function followFrom({ store, work }: FollowStart): Promise<void> {
  const stopping = new AbortController();
  let currentWork = work;
  let watch: SourceWatch | undefined;
  let fullPollAt = 0;
  process.on('message', (message: FollowMessage) => {
    if (message === 'stop') {
      stopping.abort();
      return;
    }
    if (message !== 'check') currentWork = { ...currentWork, ...message };
    watch?.apply(currentWork);
    fullPollAt = 0;
    poll();
  });
  const writer = await openWriter(store, { connections });
  const files = new LocalFiles();
  const remote = new RemotePlaces({ knownHosts: knownHostsInStore(writer.db) });
  const onOutcome = (outcome: SourceOutcome): void => report({ outcome });
  watch = new SourceWatch(writer, { files, remote, onOutcome });
  watch.apply(currentWork);
  poll();
  const timer = setInterval(poll, pollEveryMs);
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
  clearInterval(timer);
  watch.stop();
  await within(watch.settled(), graceMs);
  files.close();
  await remote.close();
  await watch.settled();
  await writer.close();
  endNow();

  /** Not awaited: a source that hangs must not hold up the others. What goes wrong beyond a source ends the process. */
  function poll(): void {
    if (watch === undefined || stopping.signal.aborted) return;
    const full = performance.now() >= fullPollAt;
    void watch.poll(full);
    if (!full) return;
    fullPollAt = performance.now() + fullPollEveryMs;
    if (currentWork.leases !== null) void reportPresent();
    // Here, because it takes seconds where much is stored. A busy store or a full disk: the next one tries again.
    void wipeIfWanted(writer).catch(() => undefined);
  }

  async function reportPresent(): Promise<void> {
    const { sources } = currentWork;
    const present = await presentHere(localFolders(sources), (folder) => files.of(`present ${folder}`));
    if (sources === currentWork.sources && !stopping.signal.aborted) report({ present });
  }
}
