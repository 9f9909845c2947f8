import { entryModule } from '../../../process/own-files.ts';
import { onEnd, startProcess } from '../../../process/child-process.ts';
import type { Holder } from '../../../server/store/engine/folder-lock.ts';
import { about, type Finding } from '../finding.ts';
import type { DataMessage, DataPlace } from './data-process-main.ts';

/** The service that runs on a data folder; null: none. Undefined: the folder does not answer. */
export type FolderHolder = Holder | 'unknown' | null | undefined;

export interface DataInspection {
  holder: Promise<FolderHolder>;
  findings: Promise<Finding[]>;
}

const module = entryModule('cli/checks/data/data-process-main');

/**
 * Checks the data folder in a process of its own: a disk that hangs would block this one, and a large store takes long.
 * The process is killed after `timeoutMs`; what it has found by then is reported.
 */
export function inspectDataFolder(place: DataPlace, timeoutMs: number): DataInspection {
  const { folder } = place;
  const child = startProcess(module);
  const found: Finding[] = [];
  let step = 'the data folder';
  let onHolder: (holder: FolderHolder) => void = () => undefined;
  const holder = new Promise<FolderHolder>((resolve) => (onHolder = resolve));
  const findings = new Promise<Finding[]>((resolve) => {
    let isOver = false;
    const end = (problem: string | null): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      child.kill('SIGKILL');
      child.unref();
      onHolder(undefined);
      resolve([...found, ...(problem === null ? [] : [unfinished(folder, step, problem)])]);
    };
    const timer = setTimeout(() => end(`no result within ${timeoutMs / 1000} s`), timeoutMs);
    child.on('message', (message: DataMessage) => {
      if (message.findings) found.push(...message.findings);
      if (message.step) step = message.step;
      if (message.holder !== undefined) onHolder(message.holder);
      if (message.error !== undefined) end(message.error);
      if (message.isDone) end(null);
    });
    child.once('error', ({ message }) => end(message));
    onEnd(child, (cause) => end(`the process that checks it ended (${cause})`));
    child.send(place, () => undefined);
  });
  return { holder, findings };
}

const unfinished = (folder: string, step: string, problem: string): Finding =>
  about('OUTPOST_DATA', folder).warning(
    `${step} could not be checked: ${problem}`,
    'check the disk or share with the folder, then run the doctor again',
  );
