/**
 * The thread that follows the sources of the config, so that reading them never keeps a request waiting. It has a
 * writing connection of its own; what it stores the service sees as another process's changes.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWriter } from '../server/store/database.ts';
import { wipeIfWanted } from '../server/store/rights/wipe.ts';
import { LocalFiles } from '../server/ingest/files/local-files.ts';
import { systemClock } from '../process/clock.ts';
import { trustInStore } from '../server/ingest/files/remote/host-trust.ts';
import { RemotePlaces } from '../server/ingest/files/remote/remote-places.ts';
import { logFormats } from '../server/games/index.ts';
import { createSourceWatch, type SourceOutcome } from '../server/ingest/sources.ts';
import type { Sources } from '../server/ingest/configured-sources.ts';

/** What the thread is started with; a later message replaces the sources, `check` polls everything, `stop` ends it. */
export interface SourceThreadData {
  /** Where the store is: a file or a URL. */
  store: string;
  sources: Sources;
}

export type SourceThreadMessage = { sources: Sources } | 'check' | 'stop';

/** What has changed. The first report is empty: from then on the thread receives messages. */
export type SourceThreadReport = SourceOutcome[];

const pollEveryMs = 1_000;
/** How often to poll everything, and not only at what changes from second to second. */
const fullPollEveryMs = 60_000;
/** A poll stops at its next block; a file that is being written is written to its end. */
const graceMs = 1_000;
/** Longer than any transaction of an import beside the service. */
const busyTimeoutMs = 10_000;

async function follow(port: MessagePort, { store, sources }: SourceThreadData): Promise<void> {
  const stopping = new AbortController();
  let current = sources;
  let fullPollAt = 0;
  let wake = (): void => undefined;
  port.on('message', (message: SourceThreadMessage) => {
    if (message === 'stop') stopping.abort();
    else {
      if (message !== 'check') current = message.sources;
      fullPollAt = 0;
    }
    wake();
  });
  const report = (outcomes: SourceThreadReport): void => {
    // The rule is about windows; a thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    port.postMessage(outcomes);
  };
  report([]);
  const writer = await openWriter(store, { busyTimeoutMs });
  const files = new LocalFiles();
  const remote = new RemotePlaces({ trust: trustInStore(writer.db, systemClock.now) });
  const watch = createSourceWatch(writer.db, {
    formats: logFormats,
    files,
    remote,
    onOutcomes: report,
  });
  while (!stopping.signal.aborted) {
    const full = performance.now() >= fullPollAt;
    if (full) fullPollAt = performance.now() + fullPollEveryMs;
    const poll = full ? watch.importChanged : watch.followOn;
    // Not awaited: a source that hangs is not to hold up the others. What goes wrong beyond a source ends the thread.
    void poll(current, stopping.signal);
    // Here, because it takes seconds where much is stored. A busy store or a full disk: the next one tries again.
    if (full) void wipeIfWanted(writer).catch(() => undefined);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, stopping.signal.aborted ? 0 : pollEveryMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  // What hangs is left behind. The port keeps the thread alive; once that is closed, nothing is to.
  await Promise.race([watch.settled(), sleep(graceMs, undefined, { ref: false })]);
  files.close();
  await remote.close();
  await watch.settled();
  await writer.close();
  port.close();
}

if (parentPort !== null) await follow(parentPort, workerData as SourceThreadData);
