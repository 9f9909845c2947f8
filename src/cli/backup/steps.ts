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

/** Such as `12.3 MB`. */
export function sizeText(bytes: number): string {
  const [figure, unit] = bytes < 1_048_576 ? [bytes / 1024, 'KB'] : [bytes / 1_048_576, 'MB'];
  return `${figure.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}
