import { sizeText } from '../output.ts';
import type { BackupProgress } from '../../server/store/operations/backup/copy-store.ts';

const words: Record<BackupProgress['step'], string> = {
  copy: 'copying the database',
  compress: 'compressing',
  read: 'reading the backup',
};

export const stepText = ({ step, total }: BackupProgress, percent: number | null): string =>
  percent === null
    ? `${words[step]} (${sizeText(total)})`
    : `${words[step]}: ${percent} % of ${sizeText(total)}`;
