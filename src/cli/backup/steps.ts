import type { BackupProgress } from '../../server/store/operations/backup/copy-store.ts';
import { sizeText } from '../output.ts';
import { percentOf } from '../progress.ts';

const words: Record<BackupProgress['step'], string> = {
  copy: 'copying the database',
  compress: 'compressing',
  read: 'reading the backup',
};

export const stepText = ({ step, done, total }: BackupProgress): string =>
  `${words[step]}: ${percentOf(done, total)} of ${sizeText(total)}`;
