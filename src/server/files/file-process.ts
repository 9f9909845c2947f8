import type { ChildProcess } from 'node:child_process';
import { startProcess } from '../../process/thread.ts';
import type { FileAnswer, FileRequest } from './file-process-main.ts';

interface FileProcessEvents {
  onReady(): void;
  onAnswer(answer: FileAnswer): void;
  onEnd(cause: string): void;
}

/** One process of `LocalFiles`. It answers one request at a time. */
export class FileProcess {
  readonly #child: ChildProcess;
  isReady = false;
  hasEnded = false;
  #events: FileProcessEvents | null = null;

  constructor(module: URL, onEnd: () => void) {
    this.#child = startProcess(module);
    this.#child.on('message', (message: 'ready' | FileAnswer) => {
      if (message !== 'ready') {
        this.#events?.onAnswer(message);
        return;
      }
      this.isReady = true;
      this.#events?.onReady();
    });
    const end = (cause: string): void => {
      if (this.hasEnded) return;
      this.hasEnded = true;
      onEnd();
      this.#events?.onEnd(cause);
    };
    this.#child.once('error', (error) => end(error.message));
    this.#child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  }

  get id(): number | undefined {
    return this.#child.pid;
  }

  run(request: FileRequest, events: FileProcessEvents): void {
    this.#events = events;
    if (this.isReady) events.onReady();
    // A send error ends the process, which is reported.
    this.#child.send(request, () => undefined);
  }

  /** Does not wait: a process inside a hanging file system ends when that responds, if ever. */
  kill(): void {
    this.#events = null;
    this.#child.kill('SIGKILL');
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }
}
